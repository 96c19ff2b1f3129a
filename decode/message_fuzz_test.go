package decode_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/schema"
)

// messageSeeds are texts with every construct of messages.
var messageSeeds = []string{
	"", "plain", "%1", "%1!08X! of %2!-12.3s!%n", "%%1 %%%1 100%%", "%", "%0", "a%0b", "%1!", "%1!!", "%99!I64d!", "%3!p!%4!#s!%5!+08.3f!", "%r%t%b% %.%!",
	"%1!999999999d!", "%1!.999999999d! %2!999999999s!", "%1!" + strings.Repeat("0", 40) + "d!", "für %2 %5!c!", "%\xff%1\xff",
}

// FuzzParseMessage parses any text.
func FuzzParseMessage(f *testing.F) {
	for _, text := range messageSeeds {
		f.Add(text, 3)
	}
	f.Fuzz(func(t *testing.T, text string, fields int) {
		m := decode.ParseMessage(text, fieldsBelow(fields))
		length := 0
		for i, part := range m {
			length += len(part.Text)
			if part.Field < -1 || part.Field >= min(max(fields, 0), 99) || part.Field < 0 && (i+1 < len(m) || part.Text == "") {
				t.Fatalf("%q: part %d of %+v", text, i, m)
			}
			if part.Field < 0 && part.Format != "" || strings.Contains(part.Format, "!") || !strings.Contains(text, "!"+part.Format+"!") && part.Format != "" {
				t.Fatalf("%q: format of part %d of %+v", text, i, m)
			}
			if utf8.ValidString(text) && !utf8.ValidString(part.Text) {
				t.Fatalf("%q: text of part %d of %+v", text, i, m)
			}
		}
		if length > len(text) || len(m) > strings.Count(text, "%")+1 {
			t.Fatalf("%q: %d parts of %d bytes", text, len(m), length)
		}
		// Escaped text without digits, which may name fields, comes back unchanged.
		if strings.IndexFunc(text, func(r rune) bool { return r >= '0' && r <= '9' }) >= 0 || text == "" {
			return
		}
		escaped := decode.ParseMessage(strings.ReplaceAll(text, "%", "%%"), fieldsBelow(fields))
		if len(escaped) != 1 || escaped[0].Text != text || escaped[0].Field >= 0 {
			t.Fatalf("%q: parsed after escaping: %+v", text, escaped)
		}
	})
}

// FuzzAppendText writes arbitrary bytes as a value of any kind.
func FuzzAppendText(f *testing.F) {
	seeds := 0
	for kind := schema.U8; kind <= schema.WideU32; kind++ {
		for _, size := range []int{0, 1, 2, 4, 6, 8, 16, 28} {
			b := make([]byte, size)
			for i := range b {
				b[i] = byte(i*i*37 + int(kind))
			}
			f.Add(uint8(kind), uint8(seeds), b)
			seeds++
		}
	}
	if seeds < 200 {
		f.Fatalf("%d seeds", seeds)
	}
	names := named(schema.Field{}, true, "first", "second").Map
	f.Fuzz(func(t *testing.T, kind, options uint8, b []byte) {
		value := schema.Field{Name: "a", Kind: schema.Kind(kind%uint8(schema.WideU32)) + 1, Hex: options&1 != 0}
		switch options >> 1 & 3 {
		case 1:
			value.Map = names
		case 2:
			value.Values = "ntstatus"
		}
		pointerSize := pointerSize(options&8 != 0)
		text := decode.AppendText([]byte("before"), &value, b, pointerSize)
		if !strings.HasPrefix(string(text), "before") || !utf8.Valid(text) || len(text) > 200+4*len(b) {
			t.Fatalf("%+v %x: %q", value, b, text)
		}
		if again := decode.AppendText(nil, &value, slices.Clone(b), pointerSize); string(again) != string(text[len("before"):]) {
			t.Fatalf("%+v %x: first %q, then %q", value, b, text, again)
		}
		if n := allocations(func() { text = decode.AppendText(text[:0], &value, b, pointerSize) }); n != 0 {
			t.Fatalf("%+v %x: %v allocations", value, b, n)
		}
	})
}

// FuzzAppendMessage renders any message with any payload of any layout.
func FuzzAppendMessage(f *testing.F) {
	list := literals(f)
	seeds := 0
	for n, e := range list {
		if n%7 != 0 {
			continue
		}
		l := decode.NewLayout(e, e.Since, 8)
		f.Add(uint16(n), true, writePayload(l, 2).payload, messageSeeds[seeds%len(messageSeeds)])
		seeds++
	}
	if seeds < 80 {
		f.Fatalf("%d seeds", seeds)
	}
	f.Fuzz(func(t *testing.T, n uint16, wide bool, payload []byte, text string) {
		if len(payload) > 4<<10 || len(text) > 4<<10 {
			return
		}
		e := list[int(n)%len(list)]
		l := decode.NewLayout(e, e.Since, pointerSize(wide))
		spans, _ := l.Locate(payload, nil)
		m := decode.ParseMessage(text, fieldsBelow(len(e.Fields)))
		got := l.AppendMessage([]byte("before"), m, payload, spans)
		var pieces, literal []byte
		for i := range m {
			pieces = l.AppendMessage(pieces, m[i:i+1], payload, spans)
			literal = append(literal, m[i].Text...)
		}
		if string(got) != "before"+string(pieces) {
			t.Fatalf("%s: %q, in pieces %q", layoutText(l), got, pieces)
		}
		if utf8.ValidString(text) && !utf8.Valid(got) {
			t.Fatalf("%s: %q", layoutText(l), got)
		}
		for i := range spans {
			spans[i] = decode.Span{From: -1, To: -1}
		}
		if got := l.AppendMessage(nil, m, payload, spans); string(got) != string(literal) {
			t.Fatalf("%s: %q without a field, want %q", layoutText(l), got, literal)
		}
	})
}
