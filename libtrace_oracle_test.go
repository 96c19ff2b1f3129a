package etl2parquet_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/bits"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// kernelPayload is a line of ../shared/oracles/libtrace: the payload of a kernel event
// with the values that another program's tests expect of it.
type kernelPayload struct {
	Test        string          `json:"test"`
	Class       string          `json:"class_guid"`
	Version     uint8           `json:"version"`
	Type        uint8           `json:"type"`
	PointerSize int             `json:"pointer_size"`
	Payload     string          `json:"payload"`
	Fields      []expectedField `json:"fields"`
}

// expectedField is a value in JSON: a text in quotes, or digits.
type expectedField struct{ name, value string }

func (f *expectedField) UnmarshalJSON(text []byte) error {
	var parts [3]json.RawMessage // name, type, value
	if err := json.Unmarshal(text, &parts); err != nil {
		return err
	}
	f.value = string(parts[2])
	return json.Unmarshal(parts[0], &f.name)
}

// handMade maps payloads that Windows would not write to the reason. Their fields before the
// first wrong byte are compared.
var handMade = map[string]string{
	"ProcessStart32bitsV1": noSID,
	"ProcessStart32bitsV3": noSID,
	"ProcessStartV2":       noSID,
}

const noSID = "a SID after 4 zero bytes, with which Windows marks a missing SID: the fields after it have other offsets"

// notCompared maps fields that have no value of their own in the row to the reason.
var notCompared = map[string]string{
	"PerfInfoSampleProf32bitsV2/Reserved": "two fields since version 2, flags and rank",

	"ProcessStart32bitsV1/ImageFileName": noSID,
	"ProcessStart32bitsV3/ImageFileName": noSID,
	"ProcessStart32bitsV3/CommandLine":   noSID,
	"ProcessStartV2/ImageFileName":       noSID,
	"ProcessStartV2/CommandLine":         noSID,
}

// renamedFields maps names of the oracle's fields to our tables' names, which are those of
// the MOF classes of Windows 10. All are in lower case.
var renamedFields = map[string]string{"baseaddress": "imagebase", "modulesize": "imagesize", "imagefilename": "filename"}

// TestKernelPayloads compares the rows of kernel events with the values that the tests
// of libtrace expect of the same payloads.
func TestKernelPayloads(t *testing.T) {
	text := testenv.ReadFile(t, testenv.Shared(t, "oracles/libtrace/payloads.jsonl"))
	payloads, decoded, equal, compared := 0, 0, 0, 0
	times := make(map[schema.Kind]int) // fields of types of time that were compared
	for line := range bytes.Lines(text) {
		var p kernelPayload
		if err := json.Unmarshal(line, &p); err != nil {
			t.Fatal(err)
		}
		payloads++
		t.Run(p.Test, func(t *testing.T) {
			r := rowOf(t, &p)
			if rest := r.row["payload_rest"]; (rest == "") == (handMade[p.Test] == "") {
				decoded++
			} else {
				t.Errorf("%q of the payload left over", rest)
			}
			if c := r.literal.Event.Certainty; c != schema.Verified {
				t.Errorf("the layout is %s, but a real payload fits it", c)
			}
			for _, f := range p.Fields {
				if notCompared[p.Test+"/"+f.name] != "" {
					continue
				}
				compared++
				if i := r.field(strings.ToLower(f.name)); i >= 0 && r.literal.Columns[i].NS >= 0 {
					times[r.literal.Event.Fields[i].Kind]++
					r.checkTime(t, i)
				}
				if got, want := r.value(t, f.name, f.value); got == want {
					equal++
				} else {
					t.Errorf("%s is %q, want %q", f.name, got, want)
				}
			}
		})
	}
	t.Logf("%d/%d payloads decoded (%d of them made by hand), %d/%d values equal, %d not comparable", decoded, payloads, len(handMade), equal, compared, len(notCompared))
	if payloads != 120 || decoded != payloads || compared != 774 || equal != compared {
		t.Error("not all of 120 payloads have the right values")
	}
	if times[schema.FileTime] == 0 || times[schema.Ticks] == 0 {
		t.Errorf("times that were compared: %v", times)
	}
}

// payloadRow is a row of a payload's own table: its values as text, without NULLs.
type payloadRow struct {
	version uint8
	literal schema.Literal
	row     map[string]string
	fields  map[string]any // the column fields of the event
}

// start is the time at which the counter of the traces is 0.
var start = time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC)

// counterHertz is the frequency of the counter.
const counterHertz = 10_000_000

// rowOf converts a trace that has the payload in an EVENT_TRACE_HEADER.
func rowOf(t *testing.T, p *kernelPayload) *payloadRow {
	t.Helper()
	class, err := etltest.ParseGUID(p.Class)
	if err != nil {
		t.Fatal(err)
	}
	payload := etltest.MustHex(t, p.Payload)
	literal, ok := schema.KernelCatalog().Type(schema.GUID(class), p.Type, p.Version)
	if !ok {
		t.Fatalf("no table of class %s has type %d", p.Class, p.Type)
	}
	ev := etltest.Event{Kind: etltest.Full64, GUID: class, Opcode: p.Type, Version: uint16(p.Version), Payload: payload}
	if p.PointerSize == 4 {
		ev.Kind = etltest.Full32
	}
	boot := int64(0)
	trace := etltest.Trace{PointerSize: p.PointerSize, Start: start, StartTicks: &boot, Frequency: counterHertz,
		Buffers: []etltest.Buffer{{Events: []etltest.Event{ev}}}}
	file := trace.MustBytes(t)
	row := func(table string) map[string]string {
		rows := openPayload(t, file, table)
		return rows[len(rows)-1] // before it may be the trace header event
	}
	r := &payloadRow{version: p.Version, literal: literal, row: row(literal.Table.Table.Name)}
	if err := json.Unmarshal([]byte(row(schema.EventsName)[schema.FieldsColumn]), &r.fields); err != nil {
		t.Fatal(err)
	}
	return r
}

// checkTime compares a time in the column fields, of seven digits, with its column in ns.
func (r *payloadRow) checkTime(t *testing.T, field int) {
	t.Helper()
	places, columns := r.literal.Columns[field], r.literal.Table.Table.Columns
	ns, err := strconv.ParseInt(r.row[columns[places.NS].Name], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	name := r.literal.Table.Table.FieldKey(columns[places.Value].Name)
	if got, want := r.fields[name], time.Unix(0, ns).UTC().Format("2006-01-02T15:04:05.0000000Z"); got != want {
		t.Errorf("%s in fields is %v, want %s", name, got, want)
	}
}

// openPayload reads the rows of a table.
func openPayload(t *testing.T, file []byte, table string) []map[string]string {
	t.Helper()
	trace, err := etl2parquet.OpenReader(t.Context(), bytes.NewReader(file), int64(len(file)), "payload.etl", etl2parquet.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := trace.Close(); err != nil {
			t.Error(err)
		}
	}()
	reader := scan(t, trace, etl2parquet.Scan{Table: table})
	defer reader.Release()
	var rows []map[string]string
	for reader.Next() {
		batch := reader.RecordBatch()
		for i := range int(batch.NumRows()) {
			row := make(map[string]string)
			for k, column := range batch.Columns() {
				if !column.IsNull(i) {
					row[batch.ColumnName(k)] = valueText(column, i)
				}
			}
			rows = append(rows, row)
		}
	}
	if err := reader.Err(); err != nil || len(rows) == 0 {
		t.Fatalf("%d rows of %s, %v", len(rows), table, err)
	}
	return rows
}

// valueText returns a value as text, times in microseconds.
func valueText(column arrow.Array, i int) string {
	if times, ok := column.(*array.Timestamp); ok {
		return strconv.FormatInt(int64(times.Value(i)), 10)
	}
	return column.ValueStr(i)
}

// value returns the value of a field in the row, and the expected value in the same form.
func (r *payloadRow) value(t *testing.T, name, expected string) (got, want string) {
	if at, ok := timeZonePlaces[name]; ok && r.literal.Event.Name == "Header" {
		return r.timeZone(t, at), text(expected)
	}
	i := r.field(strings.ToLower(name))
	if i < 0 {
		i = r.field(renamedFields[strings.ToLower(name)])
	}
	if i < 0 {
		t.Fatalf("%s has no field %s", r.literal.Table.Table.Name, name)
	}
	f, columns := &r.literal.Event.Fields[i], r.literal.Columns[i]
	column := columns.Value
	if columns.NS >= 0 {
		column = columns.NS
	}
	return r.row[r.literal.Table.Table.Columns[column].Name], inColumn(f.Kind, expected)
}

// field returns the index of a field of the version, or -1.
func (r *payloadRow) field(name string) int {
	return slices.IndexFunc(r.literal.Event.Fields, func(f schema.Field) bool {
		return f.In(r.version) && strings.ToLower(f.OriginalName()) == name
	})
}

// inColumn turns an expected value into the text that the column of a field of the kind
// has. Expected times are FILETIMEs or ticks; addresses and ports are little-endian numbers.
func inColumn(k schema.Kind, expected string) string {
	if n, err := strconv.ParseUint(expected, 10, 64); err == nil && k == schema.Key {
		return fmt.Sprintf("%#x", n)
	}
	n, err := strconv.ParseInt(expected, 10, 64)
	if err != nil {
		return text(expected) // or a number beyond int64
	}
	switch k {
	case schema.Ticks:
		return strconv.FormatInt(start.UnixNano()+n*int64(time.Second/counterHertz), 10)
	case schema.FileTime:
		return strconv.FormatInt((n-etltest.FileTime(time.Unix(0, 0)))*100, 10)
	case schema.IPv4:
		return netip.AddrFrom4([4]byte(binary.LittleEndian.AppendUint32(nil, uint32(n)))).String()
	case schema.Port:
		return strconv.Itoa(int(bits.ReverseBytes16(uint16(n))))
	}
	return expected
}

// text removes the quotes of a text.
func text(expected string) string {
	var s string
	if json.Unmarshal([]byte(expected), &s) == nil {
		return s
	}
	return expected
}

// timeZonePlaces maps the fields of TIME_ZONE_INFORMATION, which is one column in our tables,
// to their offset and, for a text, its size in bytes. Padding follows the structure.
var timeZonePlaces = map[string][2]int{
	"Bias": {0, 0}, "StandardName": {4, 64}, "StandardBias": {84, 0}, "DaylightName": {88, 64}, "DaylightBias": {168, 0}, "Padding": {172, 0},
}

// timeZone returns a field of the time zone.
func (r *payloadRow) timeZone(t *testing.T, at [2]int) string {
	zone, err := base64.StdEncoding.DecodeString(r.row["time_zone_information"])
	if err != nil || len(zone) != 176 {
		t.Fatalf("a time zone of %d bytes, %v", len(zone), err)
	}
	if at[1] == 0 {
		return strconv.Itoa(int(int32(binary.LittleEndian.Uint32(zone[at[0]:]))))
	}
	units := make([]uint16, at[1]/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(zone[at[0]+2*i:])
	}
	return strings.TrimRight(string(utf16.Decode(units)), "\x00")
}
