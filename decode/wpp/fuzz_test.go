package wpp_test

import (
	"bytes"
	"fmt"
	"testing"
	"unicode/utf8"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/wpp"
)

// files are small TMF files with every construct, and some faults.
var files = []string{
	blockLine + "#typev a_c1 1 \"%0 [%!FUNC!] %10!d! %11!s!\"" + trailer + "\n{\nx->y, ItemLong -- 10\nf(a, b), ItemListByte(Low,APC=3,DPC) -- 11\n}\n",
	"// PDB: x\r\n" + blockLine + "#type a_c2 65535 \"%10!s! %11!p! %12!08X! %13!s!\"\r\n{\r\na, ItemNTSTATUS -- 10\r\nb, ItemPtr -- 11\r\nc, ItemULongX -- 12\r\nd, ItemPWString -- 13\r\n}\r\n",
	blockLine + "#typev a_c1 1 \"x\"\n{\n}\n" + blockLine + "#typev a_c1 1 \"y\"\n{\n}\nstray\n#enum\n{\n",
	blockLine + "#typev a_c1 1 \"%10!s!%11!s!%12!s!\" // LEVEL=A FLAGS=TRACE_LEVEL_ERROR\n{\na, ItemSid -- 10\nb, ItemHEXDump -- 11\nc, ItemNovel -- 12\n}\n",
	blockLine + "#typev a_c1 1 \"%10!s! %11!s!\"\n{\na, ItemSetLong(a,b,c=31) -- 10\nb, ItemListLong(a=-1,b) -- 11\n",
	"", "\n", "\xff\xfe0\x00", "\xef\xbb\xbf//",
}

// FuzzTMF reads any file, and renders a payload with each of its messages.
func FuzzTMF(f *testing.F) {
	seeds := 0
	for _, file := range files {
		f.Add([]byte(file), []byte("\x05\x00\x00\x00\x01\x02\x03\x04\x05\x06\x07\x08\x00\x02\x00AB"))
		seeds++
	}
	if seeds < 9 {
		f.Fatalf("%d seeds", seeds)
	}
	f.Fuzz(func(t *testing.T, data, payload []byte) {
		tmf, err := wpp.ParseTMF(data)
		if (err == nil) != (tmf != nil) {
			t.Fatalf("%v and %v", tmf, err)
		}
		if err != nil {
			return
		}
		lines := bytes.Count(data, []byte("\n")) + 1
		if len(tmf.Errors) != min(tmf.Faults, 100) || tmf.Faults > 2*lines || len(tmf.Messages) > lines {
			t.Fatalf("%d messages, %d faults, %d kept, in %d lines", len(tmf.Messages), tmf.Faults, len(tmf.Errors), lines)
		}
		for _, e := range tmf.Errors {
			if e.Line < 1 || e.Line > lines || e.Err == nil {
				t.Fatalf("%v of %d lines", e, lines)
			}
		}
		for _, m := range tmf.Messages {
			if found, ok := tmf.Lookup(m.Key()); !ok || found != m {
				t.Fatalf("message %d is not found", m.ID)
			}
			checkMessage(t, m, payload)
		}
		if again, err := wpp.ParseTMF(data); err != nil || fmt.Sprint(again.Errors) != fmt.Sprint(tmf.Errors) || len(again.Messages) != len(tmf.Messages) {
			t.Fatalf("first %d messages, then %d: %v", len(tmf.Messages), len(again.Messages), err)
		}
	})
}

// checkMessage checks that a message is usable: its columns have distinct names,
// its inserts refer to fields, and its names and texts are UTF-8.
func checkMessage(t *testing.T, m *wpp.Message, payload []byte) {
	t.Helper()
	columns := make(map[string]bool)
	for i := range m.Fields {
		f := &m.Fields[i]
		if f.Name == "" || columns[f.Name] || f.Kind == 0 || !utf8.ValidString(f.Doc) {
			t.Fatalf("%s: field %+v", m.Name, f)
		}
		columns[f.Name] = true
		if f.Map == nil {
			continue
		}
		for n, name := range f.Map.Names {
			if name.Name == "" || n > 0 && name.Value <= f.Map.Names[n-1].Value {
				t.Fatalf("%s: names %+v", m.Name, f.Map.Names)
			}
		}
	}
	for _, part := range m.Message {
		if part.Field < -1 || part.Field >= len(m.Fields) {
			t.Fatalf("%s: %+v", m.Name, m.Message)
		}
	}
	for _, pointerSize := range []int{4, 8} {
		l := decode.NewLayout(&m.Event, 0, pointerSize)
		spans, _ := l.Locate(payload, nil)
		if text := l.AppendMessage(nil, m.Message, payload, spans); !utf8.Valid(text) {
			t.Fatalf("%s: %q", m.Name, text)
		}
	}
	for _, s := range []string{m.Class, m.Name, m.File, m.Function, m.Flags, m.LevelName, m.Keyword, m.Component, m.Part} {
		if !utf8.ValidString(s) {
			t.Fatalf("%s: %q", m.Name, s)
		}
	}
}
