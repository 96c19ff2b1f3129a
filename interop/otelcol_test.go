package interop_test

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// collected is what a collector writes into its file: a batch a line.
type collected struct {
	ResourceLogs []struct {
		Resource  struct{ Attributes []otlpAttribute }
		ScopeLogs []struct {
			Scope      struct{ Name string }
			LogRecords []struct {
				TimeUnixNano   string
				SeverityNumber int
				Body           *otlpValue
				Attributes     []otlpAttribute
				EventName      string
			}
		}
	}
}

type otlpAttribute struct {
	Key   string
	Value otlpValue
}

// otlpValue is a value, of which one member is set.
type otlpValue struct {
	StringValue *string
	IntValue    *json.Number
	DoubleValue any // a number, or a text for those that JSON lacks
	BoolValue   *bool
	BytesValue  *string
	ArrayValue  *struct{ Values []otlpValue }
	KvlistValue *struct{ Values []otlpAttribute }
}

// text returns a value as valueText writes the same value of a field.
func (v *otlpValue) text(t *testing.T) string {
	t.Helper()
	var list []string
	switch {
	case v.StringValue != nil:
		return *v.StringValue
	case v.IntValue != nil:
		return v.IntValue.String()
	case v.DoubleValue != nil:
		return strings.TrimPrefix(strings.ReplaceAll(fmt.Sprint(v.DoubleValue), "Infinity", "Inf"), "+")
	case v.BoolValue != nil:
		return strconv.FormatBool(*v.BoolValue)
	case v.BytesValue != nil:
		b, err := base64.StdEncoding.DecodeString(*v.BytesValue)
		if err != nil {
			t.Fatal(err)
		}
		return hex.EncodeToString(b)
	case v.KvlistValue != nil:
		for i := range v.KvlistValue.Values {
			list = append(list, v.KvlistValue.Values[i].Value.text(t))
		}
		return "{" + strings.Join(list, " ") + "}"
	case v.ArrayValue != nil:
		for i := range v.ArrayValue.Values {
			list = append(list, v.ArrayValue.Values[i].text(t))
		}
		return "[" + strings.Join(list, " ") + "]"
	}
	return "" // an empty text or empty bytes, which collectors leave out
}

// valueText returns the value of a field, without the names of members: log records have those of the
// source.
func valueText(value any) string {
	var list []string
	switch v := value.(type) {
	case []etl2parquet.Field:
		for i := range v {
			list = append(list, valueText(v[i].Value))
		}
		return "{" + strings.Join(list, " ") + "}"
	case []any:
		for _, element := range v {
			list = append(list, valueText(element))
		}
		return "[" + strings.Join(list, " ") + "]"
	case string:
		return strings.TrimPrefix(v, "+")
	}
	return fmt.Sprint(value)
}

// otelcol starts a collector that writes the logs it gets into a file, and returns its address. stop
// ends it, so that the file is complete.
func otelcol(t *testing.T, file string) (address string, stop func()) {
	t.Helper()
	version := testenv.ReadFile(t, "otelcollector/collector.version")
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(cache, "etl2parquet", "otelcol-"+strings.TrimSpace(string(version)), "otelcol")
	if _, err := os.Stat(program); err != nil {
		testenv.Missing(t, "an OpenTelemetry collector", "run .ci/otelcol, which builds one", err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address = l.Addr().String()
	l.Close()
	config := filepath.Join(t.TempDir(), "collector.yaml")
	text := fmt.Sprintf(`receivers: {otlp: {protocols: {http: {endpoint: "%s"}}}}
exporters: {file: {path: '%s'}}
service: {pipelines: {logs: {receivers: [otlp], exporters: [file]}}, telemetry: {metrics: {level: none}}}
`, address, file)
	testenv.WriteFile(t, config, text)
	cmd := exec.Command(program, "--config", config)
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	stopped := false
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Error(err)
		}
		if err := <-ended; err != nil {
			t.Errorf("%v: %s", err, &log)
		}
	}
	t.Cleanup(stop)
	for {
		select {
		case err := <-ended:
			stopped = true
			t.Fatalf("the collector ended: %v: %s", err, &log)
		case <-time.After(10 * time.Millisecond):
		}
		if conn, err := net.Dial("tcp", address); err == nil {
			conn.Close()
			return address, stop
		}
	}
}

// record is what is compared of an event and of its log record.
type record struct {
	NS                  int64
	Provider, Name      string
	ID, Process, Thread string
	Message             string
	Fields              []string
}

// byTime orders records as providers do not: a batch has them by provider.
func byTime(list []record) {
	sort.SliceStable(list, func(i, j int) bool {
		a, b := &list[i], &list[j]
		if a.NS != b.NS {
			return a.NS < b.NS
		}
		return a.Provider < b.Provider
	})
}

// TestCollector sends the events of real traces to a real collector, over --otlp-endpoint and line by
// line over HTTP, and compares what it has taken with the events.
func TestCollector(t *testing.T) {
	testenv.All(t, "a collector of OpenTelemetry")
	program := builtProgram(t)
	for _, name := range []string{"PktMon.etl", "HTTP_Server.etl", "ebpforwindows.etl", "primitive-types.etl", "WindowsUpdate.20251008.140245.443.8.etl"} {
		path := testenv.Shared(t, "traces/"+name)
		t.Run(name, func(t *testing.T) {
			want := eventRecords(t, path)
			for _, over := range []string{"the endpoint", "plain HTTP"} {
				file := filepath.Join(t.TempDir(), "logs.json")
				address, stop := otelcol(t, file)
				if over == "plain HTTP" {
					postLines(t, program, path, "http://"+address+"/v1/logs")
				} else {
					out, err := exec.Command(program, "cat", path, "--otlp-endpoint", "http://"+address).CombinedOutput()
					if err != nil || !bytes.Contains(out, fmt.Appendf(nil, "%d log records accepted, 0 refused\n", len(want))) {
						t.Fatalf("%v: %s", err, out)
					}
				}
				stop()
				got := collectedRecords(t, file)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("over %s: %d events, %d records; -events +records:\n%.3000s", over, len(want), len(got), diff)
				}
				t.Logf("%s over %s: %d events, %d records", name, over, len(want), len(got))
			}
		})
	}
}

// postLines posts each line of cat by itself.
func postLines(t *testing.T, program, path, url string) {
	t.Helper()
	cmd := exec.Command(program, "cat", path, "--format", "otlp")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(out) {
		response, err := http.Post(url, "application/json", bytes.NewReader(line))
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || response.StatusCode != http.StatusOK || string(body) != `{"partialSuccess":{}}` {
			t.Fatalf("%s %s, %v", response.Status, body, err)
		}
	}
}

func eventRecords(t *testing.T, path string) (list []record) {
	t.Helper()
	trace, err := etl2parquet.Open(t.Context(), path, etl2parquet.Options{Messages: etl2parquet.MessagesAll})
	if err != nil {
		t.Fatal(err)
	}
	defer trace.Close()
	number := func(n int64) string {
		if n < 0 {
			return ""
		}
		return strconv.FormatInt(n, 10)
	}
	for e, err := range trace.Events(t.Context(), etl2parquet.Scan{}) {
		if err != nil {
			t.Fatal(err)
		}
		r := record{NS: e.Time.UnixNano(), Provider: e.Provider, Name: e.Name, ID: number(int64(e.ID)), Process: number(e.ProcessID), Thread: number(e.ThreadID), Message: e.Message}
		if e.Name == strconv.Itoa(e.ID) {
			r.Name = "etw." + e.Name
		}
		fields := e.Fields()
		for i, f := range fields {
			if i == 0 || f.Name != fields[i-1].Name+"_ns" { // a log has all of a time in its text
				r.Fields = append(r.Fields, valueText(f.Value))
			}
		}
		if r.Provider == "" {
			r.Provider = e.ProviderID
		}
		list = append(list, r)
	}
	byTime(list)
	return list
}

func collectedRecords(t *testing.T, file string) (list []record) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	d := json.NewDecoder(bufio.NewReader(f))
	d.UseNumber()
	for d.More() {
		var batch collected
		if err := d.Decode(&batch); err != nil {
			t.Fatal(err)
		}
		for _, resource := range batch.ResourceLogs {
			for _, scope := range resource.ScopeLogs {
				for _, from := range scope.LogRecords {
					r := record{Provider: scope.Scope.Name, Name: from.EventName}
					if r.NS, err = strconv.ParseInt(from.TimeUnixNano, 10, 64); err != nil {
						t.Fatal(err)
					}
					if from.Body != nil {
						r.Message = from.Body.text(t)
					}
					for i := range from.Attributes {
						a := &from.Attributes[i]
						text := a.Value.text(t)
						switch {
						case a.Key == "etw.event.id":
							r.ID = text
						case a.Key == "etw.process.id":
							r.Process = text
						case a.Key == "etw.thread.id":
							r.Thread = text
						case !strings.HasPrefix(a.Key, "etw.") && a.Key != "process.executable.name":
							r.Fields = append(r.Fields, text)
						}
					}
					list = append(list, r)
				}
			}
		}
	}
	byTime(list)
	return list
}
