package decode_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
)

// TestParseStart reads the first bytes of events with every type of header.
func TestParseStart(t *testing.T) {
	for _, tt := range []struct {
		bytes string
		want  decode.Start
		err   error
	}{
		{bytes: "020001c020002405", want: decode.Start{Type: decode.TypeSystem32, Size: 0x20, HeaderSize: 0x20}},
		{bytes: "020002c068002405", want: decode.Start{Type: decode.TypeSystem64, Size: 0x68, HeaderSize: 0x20}},
		{bytes: "020003c020002405", want: decode.Start{Type: decode.TypeCompact32, Size: 0x20, HeaderSize: 0x18}},
		{bytes: "020004c020002405", want: decode.Start{Type: decode.TypeCompact64, Size: 0x20, HeaderSize: 0x18}},
		{bytes: "02820fc068002405", want: decode.Start{Type: 0x0f, Size: 0x8202}},
		{bytes: "40000ac001020300", want: decode.Start{Type: decode.TypeFull32, Size: 0x40, HeaderSize: 0x30}},
		{bytes: "400014c001020300", want: decode.Start{Type: decode.TypeFull64, Size: 0x40, HeaderSize: 0x30}},
		{bytes: "48000bc001020300", want: decode.Start{Type: decode.TypeInstance32, Size: 0x48, HeaderSize: 0x48}},
		{bytes: "380015c001020300", want: decode.Start{Type: decode.TypeInstance64, Size: 0x38, HeaderSize: 0x48}},
		{bytes: "08000dc000000000", want: decode.Start{Type: decode.TypeError, Size: 8}},
		{bytes: "020010c010002e0f", want: decode.Start{Type: decode.TypePerfInfo32, Size: 0x10, HeaderSize: 0x10}},
		{bytes: "500012c000000000", want: decode.Start{Type: decode.TypeEvent32, Size: 0x50, HeaderSize: 0x50}},
		{bytes: "3c0000902b00aa00", want: decode.Start{Type: decode.TypeMessage, Size: 0x3c, HeaderSize: 0x28}},
		{bytes: "3c0000902b000000", want: decode.Start{Type: decode.TypeMessage, Size: 0x3c, HeaderSize: 8}},
		{bytes: "10000081", err: decode.ErrTruncated},
		{bytes: "1000008100000000", want: decode.Start{Type: decode.TypeUnknown, Size: 0x10}},
		{bytes: "", err: decode.ErrTruncated},
		{bytes: "ffffffffffffffff", err: decode.ErrCorrupt},
		{bytes: "1000007f00000000", err: decode.ErrCorrupt},
		{bytes: "020002c01f002405", err: decode.ErrCorrupt},
		{bytes: "370015c001020300", err: decode.ErrCorrupt},
		{bytes: "200000902b00aa00", err: decode.ErrCorrupt},
		{bytes: "07000dc000000000", err: decode.ErrCorrupt},
	} {
		t.Run(tt.bytes, func(t *testing.T) {
			b := etltest.MustHex(t, tt.bytes)
			got, err := decode.ParseStart(b)
			if !errors.Is(err, tt.err) {
				t.Fatalf("%v, want %v", err, tt.err)
			}
			if err == nil && (got.Type != tt.want.Type || got.Size != tt.want.Size || got.HeaderSize != tt.want.HeaderSize) {
				t.Errorf("%+v, want %+v", got, tt.want)
			}
		})
	}
	b, _ := hex.DecodeString("028311c038002e0f")
	if s, err := decode.ParseStart(b); err != nil || s.Counters.PMC != 3 || !s.Counters.HasPEBS {
		t.Errorf("%+v, %v: want 3 counters and a PEBS index", s, err)
	}
}

// TestParseStartGoldens checks that the start of an event gives the same header as the whole event.
func TestParseStartGoldens(t *testing.T) {
	for _, g := range goldens(t) {
		file, err := etltest.Parse(g.File)
		if err != nil {
			continue // a golden of an error
		}
		f, err := decode.NewFile(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			continue
		}
		for i := range f.Buffers() {
			var b decode.Buffer
			if f.ReadBuffer(i, &b) != nil {
				continue
			}
			var ev decode.Event
			for b.Next(&ev) == nil {
				if ev.Family == decode.FamilyOther {
					continue
				}
				if s, err := decode.ParseStart(ev.Raw); err != nil || s.Type != ev.Type || s.Size != len(ev.Raw) {
					t.Errorf("%+v, %v; want %s of %d bytes; %s", s, err, ev.Type, len(ev.Raw), g.File)
				}
			}
		}
	}
}
