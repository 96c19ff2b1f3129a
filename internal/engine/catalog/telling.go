package catalog

import (
	"bytes"
	"slices"
	"unicode/utf16"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/schema"
)

// telling is a text with a known set of values. It decides between layouts that all fit a payload
// to the last byte.
type telling struct {
	field  int
	values [][]byte // as payloads have them
	must   bool     // a payload without one of them has another layout, even if it fits
}

// tellingTexts has these texts, by event.
var tellingTexts = map[schemaKey]struct {
	field  string
	values []string
}{
	// Sysmon 1: its schemas 4.1 and 4.21 differ by OriginalFileName, and a GUID that contains zeros
	// can look like the end of a text. The levels are those of SECURITY_MANDATORY_*_RID in winnt.h,
	// by Sysmon's names.
	{provider: sysmon, id: 1, version: 5}: {"IntegrityLevel", []string{"Untrusted", "Low", "Medium", "High", "System", "AppContainer"}},
}

// sysmon is Microsoft-Windows-Sysmon, 5770385f-c22a-43e0-bf4c-06f5698ffbd9.
var sysmon = schema.GUID{0x5f, 0x38, 0x70, 0x57, 0x2a, 0xc2, 0xe0, 0x43, 0xbf, 0x4c, 0x06, 0xf5, 0x69, 0x8f, 0xfb, 0xd9}

// telling returns the text that decides between the layouts of an event, or nil.
func (d *description) telling() *telling {
	s := d.Schema
	if d.label != "" {
		return &telling{values: [][]byte{text16(d.label)}, must: true}
	}
	known, ok := tellingTexts[keyOfSchema(s)]
	if !ok {
		return nil
	}
	t := &telling{field: slices.IndexFunc(s.Fields, func(f schema.Field) bool { return f.Original == known.field && f.Kind == schema.Text16 })}
	if t.field < 0 {
		return nil
	}
	for _, value := range known.values {
		t.values = append(t.values, text16(value))
	}
	return t
}

// text16 returns a text as payloads have it.
func text16(text string) (b []byte) {
	for _, unit := range utf16.Encode([]rune(text + "\x00")) {
		b = append(b, byte(unit), byte(unit>>8))
	}
	return b
}

// MustTell reports whether only payloads that a text confirms have this layout: see IsTold.
func (k *Kind) MustTell() bool { return k.telling != nil && k.telling.must }

// IsTold reports whether a text of a payload confirms that the payload has this layout.
func (k *Kind) IsTold(payload []byte, spans []decode.Span) bool {
	if k.telling == nil || spans[k.telling.field].From < 0 {
		return false
	}
	s := spans[k.telling.field]
	return slices.ContainsFunc(k.telling.values, func(value []byte) bool { return bytes.Equal(value, payload[s.From:s.To]) })
}
