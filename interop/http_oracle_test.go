package interop_test

import (
	"cmp"
	"encoding/base64"
	"maps"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/schema"
)

// httpTables has the folders of the tables of HTTP_Server by the number of the event.
var httpTables = map[string]string{
	"1": "RecvReq", "2": "Parse", "3": "Deliver",
	"4": "RecvResp", "5": "RecvRespLast", "8": "FastResp",
	"9": "FastRespLast", "10": "SendComplete", "12": "FastSend",
	"21": "ConnConnect", "22": "ConnIdAssgn", "51": "LogFileWrite",
}

// httpRow is a row with the columns of its table that are fields, in order.
type httpRow struct {
	eventRow
	event  string // number
	fields []string
}

// TestHTTPOracle compares the tables of HTTP_Server, which its manifest describes, with
// Windows' own event log: all fields of all events, with names and values in order. The
// log has no fields of event 2, so they are compared with the same fields in event 3 of
// the same requests.
func TestHTTPOracle(t *testing.T) {
	rows := httpRows(t)
	want := readLines[evtxEvent](t, "tx/HTTP_Server.evtx.jsonl")
	if len(rows) != len(want) || len(want) != 2041 {
		t.Fatalf("%d rows, want %d of 2041", len(rows), len(want))
	}
	delivered := make(map[[2]string]bool) // requests and their URLs, of event 3
	for i := range want {
		if d := want[i].Data; want[i].System.EventID.Text == "3" {
			delivered[[2]string{d[0][1], d[4][1]}] = true
		}
	}
	fields, equal, silent := 0, 0, make(map[string]int)
	for i := range want {
		row, event := &rows[i], &want[i]
		if row.event != event.System.EventID.Text {
			t.Fatalf("event %d: the row is of event %s, want %s", i, row.event, event.System.EventID.Text)
		}
		if row.eventRow["payload_rest"] != nil {
			t.Errorf("event %d: payload_rest is %s", i, row.text("payload_rest"))
		}
		if len(event.Data) == 0 && len(row.fields) > 0 {
			silent[httpTables[row.event]]++
			if request := [2]string{row.eventLog("request_obj", "0x"), row.text("url")}; !delivered[request] {
				t.Errorf("event %d: %v is parsed, but never delivered", i, request)
			}
			continue
		}
		if len(row.fields) != len(event.Data) {
			t.Fatalf("event %d: fields %v, want %v", i, row.fields, event.Data)
		}
		for n, f := range event.Data {
			fields++
			if column := row.fields[n]; folded(column) != folded(f[0]) {
				t.Errorf("event %d: field %d is %s, want %s", i, n, column, f[0])
			} else if got := row.eventLog(column, f[1]); got != f[1] {
				t.Errorf("event %d: %s is %s, want %s", i, column, got, f[1])
			} else {
				equal++
			}
		}
	}
	t.Logf("SCORE tx fields equal %d/%d", equal, fields)
	for _, name := range slices.Sorted(maps.Keys(silent)) {
		t.Logf("SCORE events of which the event log has no fields, ours equal to those of another event: %d of %s", silent[name], name)
	}
	if fields != 7873 || !maps.Equal(silent, map[string]int{httpTables["2"]: 291}) {
		t.Errorf("%d fields, events without %v; the oracle has 7873, and 291 of %s", fields, silent, httpTables["2"])
	}
}

// httpRows returns the rows of all tables of HTTP_Server, in the order of time.
func httpRows(t *testing.T) (rows []httpRow) {
	t.Helper()
	python := interop.NewPython(t)
	numbers := slices.Sorted(maps.Keys(httpTables))
	var lists []list
	for _, number := range numbers {
		lists = append(lists, list{Table: "Microsoft-Windows-HttpService/" + httpTables[number]})
	}
	var answer struct{ Traces []foundTrace }
	question := map[string]any{"root": realDataset(t), "lists": lists,
		"traces": []lookup{{Trace: "HTTP_Server", Keys: []rowKey{}, Filters: map[string]place{}}}}
	python.Run(t, "event_rows.py", question, &answer)
	found := &answer.Traces[0]
	for i, number := range numbers {
		fields := fieldColumns(found.Columns[lists[i].Table])
		for _, row := range found.Lists[i] {
			rows = append(rows, httpRow{row, number, fields})
		}
	}
	slices.SortFunc(rows, func(a, b httpRow) int {
		return cmp.Or(cmp.Compare(a.number("time_ns"), b.number("time_ns")), cmp.Compare(a.number("processor"), b.number("processor")),
			cmp.Compare(a.number("event_ref"), b.number("event_ref")))
	})
	return rows
}

// fieldColumns returns the columns that are fields of the payload.
func fieldColumns(columns []string) (fields []string) {
	for _, column := range columns {
		if !commonColumn[column] && !strings.HasSuffix(column, "_text") && column != schema.MessageColumn && column != "payload_rest" {
			fields = append(fields, column)
		}
	}
	return fields
}

// eventLog returns the value of a column in the form of the event log: addresses and
// handles in hexadecimal, and binary fields, here socket addresses, in base 64.
func (r *httpRow) eventLog(column, like string) string {
	text := r.text(column)
	switch {
	case strings.HasPrefix(like, "0x"):
		return "0x" + strconv.FormatUint(r.number(column), 16)
	case strings.HasSuffix(column, "_addr"):
		if b, err := base64.StdEncoding.DecodeString(like); err == nil && socketText(b) == text {
			return like
		}
	}
	return text
}

// socketText writes a SOCKADDR_IN6 in our form: family, port, flow, address, scope.
func socketText(b []byte) string {
	if len(b) != 28 || b[0] != 23 || b[1] != 0 {
		return ""
	}
	address := netip.AddrFrom16([16]byte(b[8:24]))
	if b[24]|b[25]|b[26]|b[27] != 0 {
		return ""
	}
	return netip.AddrPortFrom(address, uint16(b[2])<<8|uint16(b[3])).String()
}
