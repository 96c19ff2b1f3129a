package wpp_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/decode/wpp"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// byPointer matches text that depends on the pointer size: <64 bits|32 bits>.
var byPointer = regexp.MustCompile(`<([^<>|]*)\|([^<>|]*)>`)

func forPointer(text string, pointerSize int) string {
	if pointerSize == 8 {
		return byPointer.ReplaceAllString(text, "$1")
	}
	return byPointer.ReplaceAllString(text, "$2")
}

// render returns the text of a message for a payload in hexadecimal, which must
// fit to the last byte.
func render(t testing.TB, m *wpp.Message, payload string, pointerSize int) string {
	t.Helper()
	b := etltest.MustHex(t, payload)
	l := decode.NewLayout(&m.Event, 0, pointerSize)
	spans, fit := l.Locate(b, nil)
	if fit.Err != nil || fit.Used != len(b) {
		t.Fatalf("%s: %d of %d bytes: %v", m.Name, fit.Used, len(b), fit.Err)
	}
	return string(l.AppendMessage(nil, m.Message, b, spans))
}

// realMessage is a message of a real file, with a payload and its text.
type realMessage struct {
	guid          string
	number        uint16
	payload, want string
}

// realMessages reads testdata/messages.txt.
func realMessages(t testing.TB) []realMessage {
	t.Helper()
	text := testenv.ReadFile(t, "testdata/messages.txt")
	var list []realMessage
	for line := range strings.Lines(string(text)) {
		content, indented := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "  ")
		last := len(list) - 1
		switch {
		case strings.HasPrefix(content, "#"):
		case !indented:
			m := realMessage{payload: "?"}
			if _, err := fmt.Sscanf(content, "%s %d", &m.guid, &m.number); err != nil {
				t.Fatalf("%q: %v", content, err)
			}
			list = append(list, m)
		case list[last].payload == "?":
			list[last].payload = content
		default:
			list[last].want = content
		}
	}
	if len(list) < 20 {
		t.Fatalf("%d messages", len(list))
	}
	return list
}

// TestRealMessages renders messages of real files, with payloads written by the
// rules of their items.
func TestRealMessages(t *testing.T) {
	files := realFiles(t)
	for _, test := range realMessages(t) {
		id, err := schema.ParseGUID(test.guid)
		if err != nil {
			t.Fatal(err)
		}
		tmf, err := wpp.ParseTMF(files[test.guid+".tmf"])
		if err != nil {
			t.Fatal(err)
		}
		m, ok := tmf.Lookup(wpp.Key{GUID: id, Number: test.number})
		if !ok {
			t.Errorf("%s: no message %d", test.guid, test.number)
			continue
		}
		for _, pointerSize := range []int{4, 8} {
			want := forPointer(test.want, pointerSize)
			if got := render(t, m, forPointer(test.payload, pointerSize), pointerSize); got != want {
				t.Errorf("%s %d:\n\t%s, want\n\t%s", test.guid, test.number, got, want)
			}
		}
	}
}
