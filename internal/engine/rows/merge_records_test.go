package rows

import (
	"encoding/xml"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/slabs"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// eachOfClass calls do for the tables of a class in each of the real traces.
func eachOfClass(t *testing.T, class string, do func(trace string, rows *payloadRows)) {
	t.Helper()
	id, err := schema.ParseGUID(class)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range testenv.SharedFiles(t, "traces/*.etl") {
		for _, rows := range rowsOfClass(t, indextest.Of(t, decodetest.OpenFile(t, path), nil), id) {
			do(filepath.Base(path), rows)
		}
	}
}

// rowsOfClass returns the rows of the payloads of classic events of a class.
func rowsOfClass(t *testing.T, x *index.Index, class schema.GUID) (list []*payloadRows) {
	t.Helper()
	ofClass := filterOf(t, x, &selection.Selection{Selection: facts.Selection{Providers: []string{class.String()}}})
	var g Gathered
	p := wholePlan(x)
	p.Stacks = false // a whole trace has too many for a slab
	if _, ok, err := g.Gather(x, p, slabs.Whole(), ofClass); err != nil || !ok {
		t.Fatal(ok, err)
	}
	ctx := newContext(x, PayloadNone)
	for _, filler := range g.FillRows(ctx, func(id TableID) Filler { return NewFiller(id, ctx) }) {
		if rows, ok := filler.(*payloadRows); ok {
			list = append(list, rows)
		}
	}
	return list
}

// TestWinSatOfRealTraces checks that each WinSAT document is XML of its declared length.
func TestWinSatOfRealTraces(t *testing.T) {
	documents := 0
	eachOfClass(t, "ed54dff8-c409-4cf6-bf83-05e1e61a09c4", func(trace string, rows *payloadRows) {
		b := rows.batch
		lengths, texts := b.Column("uncompressed_length"), b.Column("xml")
		if rows.takeProblems() != nil || lengths.Values() != b.Rows || texts.Values() != b.Rows {
			t.Fatalf("%s: %s: %d rows, %d documents", trace, b.Table.Name, b.Rows, texts.Values())
		}
		for row := range b.Rows {
			documents++
			text := string(bytesAt(b, texts, row))
			size := 2 * (len(utf16.Encode([]rune(text))) + 1)
			elements := xmlElements(t, text)
			t.Logf("%s: %s: %d bytes of UTF-16, %d elements", trace, b.Table.Name, size, elements)
			if int64(size) != lengths.Ints[row] || elements < 5 {
				t.Errorf("%s: %s: %d bytes, want %d; %d elements", trace, b.Table.Name, size, lengths.Ints[row], elements)
			}
		}
	})
	if documents < 3 {
		t.Errorf("only %d documents in all traces", documents)
	}
}

func xmlElements(t *testing.T, text string) (n int) {
	t.Helper()
	decoder := xml.NewDecoder(strings.NewReader(text))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return n
		}
		if err != nil {
			t.Fatalf("%v in %q", err, text)
		}
		if _, ok := token.(xml.StartElement); ok {
			n++
		}
	}
}

// TestNetInterfacesOfRealTraces checks that every number with names has a known one, and that
// sizes, addresses and counters agree with each other.
func TestNetInterfacesOfRealTraces(t *testing.T) {
	interfaces := 0
	eachOfClass(t, "9b79ee91-b5fd-41c0-a243-4248e266e9d0", func(trace string, rows *payloadRows) {
		b := rows.batch
		if b.Table.Name != "events/SysConfig/NetInterface" {
			return
		}
		if rows.takeProblems() != nil {
			t.Fatalf("%s: payloads that do not fit", trace)
		}
		for i := range b.Columns {
			c := &b.Columns[i]
			if strings.HasSuffix(c.Spec.Name, "_text") && c.Values() != b.Rows && c.Spec.Name != "interface_and_oper_status_flags_text" {
				t.Errorf("%s: %s: %d names in %d rows", trace, c.Spec.Name, c.Values(), b.Rows)
			}
		}
		number := func(name string, row int) int64 { return b.Column(name).Ints[row] }
		for row := range b.Rows {
			interfaces++
			alias := string(bytesAt(b, b.Column("alias"), row))
			length, mtu := number("physical_address_length", row), number("mtu", row)
			address := bytesAt(b, b.Column("physical_address"), row)
			speed, sent := number("transmit_link_speed", row), number("out_octets", row)
			if alias == "" || length != 0 && length != 6 || strings.Trim(string(address[length:]), "\x00") != "" || mtu != 0 && (mtu < 576 || mtu > 65536) {
				t.Errorf("%s: %q: address of %d bytes %x, mtu %d", trace, alias, length, address, mtu)
			}
			if works := number("oper_status", row) == 1; works != (speed >= 1e6 && speed <= 1e12) || works != (mtu != 0) || !works && sent != 0 {
				t.Errorf("%s: %q: works %v, speed %d, mtu %d, %d bytes sent", trace, alias, works, speed, mtu, sent)
			}
			kinds := number("out_ucast_octets", row) + number("out_multicast_octets", row) + number("out_broadcast_octets", row)
			if kinds != sent {
				t.Errorf("%s: %q: %d bytes sent, %d by kind", trace, alias, sent, kinds)
			}
		}
	})
	t.Logf("%d network interfaces", interfaces)
	if interfaces < 33 {
		t.Errorf("only %d interfaces in all traces", interfaces)
	}
}
