package activity_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/activity"
	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/schema"
)

// pathID returns the id with the given first bytes and the checksum for a process, or without
// a process if that is 0.
func pathID(path []byte, process uint32) (id schema.GUID) {
	copy(id[:12], path)
	le := binary.LittleEndian
	le.PutUint32(id[12:], (le.Uint32(id[0:])+le.Uint32(id[4:])+le.Uint32(id[8:])+0x599d99ad)^process)
	return id
}

func TestActivityPath(t *testing.T) {
	for _, test := range []struct {
		name    string
		bytes   string
		process uint32
		want    string
	}{
		{"small numbers", "123", 77, "//1/2/3"},
		{"an odd number of nibbles", "1a", 0, "//1/10"},
		{"a whole id", "111111111111111111111111", 77, "//1" + strings.Repeat("/1", 23)},
		{"a number and a byte", "1c25", 77, "//1/37"},
		{"a number, a byte and a number", "1c252", 77, "//1/37/2"},
		{"12 bits", "11c1 2c 00", 77, "//1/1/300"},
		{"12 bits and a number", "11c1 2c 00 2", 77, "//1/1/300/2"},
		{"12 bits without padding", "11c1 2c 2", 77, "//1/1/300/2"},
		{"8 bits stored in 12", "11c0 0b 2", 77, "//1/1/11/2"},
		{"two bytes", "1d 2c01 3", 77, "//1/300/3"},
		{"three bytes", "1e 010203", 77, "//1/197121"},
		{"four bytes", "11f0 ffffffff 2", 77, "//1/1/4294967295/2"},
		{"from the process's list", "bc 07", 77, "/$7"},
		{"a number and one from the list", "1b c0 07", 77, "//1$7"},
		{"cut off", "1111111111111111111111 1f", 77, "//1" + strings.Repeat("/1", 22)},
		{"an undefined code", "1b1", 77, ""},
		{"no numbers", "", 77, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			id := pathID(unhexNibbles(t, test.bytes), test.process)
			path, ok := activity.AppendPath([]byte("x"), id, 77)
			if want := "x" + test.want; string(path) != want || ok != (test.want != "") {
				t.Errorf("%v: %q, %t; want %q", id, path, ok, want)
			}
			if path, ok := activity.AppendPath(nil, id, 78); ok && test.process != 0 {
				t.Errorf("%v: %q in another process", id, path)
			}
		})
	}
}

// unhexNibbles returns the bytes of hexadecimal digits, and appends a digit 0 if their number is odd.
func unhexNibbles(t *testing.T, digits string) []byte {
	t.Helper()
	digits = strings.ReplaceAll(digits, " ", "")
	if len(digits)%2 == 1 {
		digits += "0"
	}
	b, err := hex.DecodeString(digits)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestActivityPathsOfTraces reads the activity ids of real traces. One trace has
// activities of an EventSource.
func TestActivityPathsOfTraces(t *testing.T) {
	paths, others := make(map[string]schema.GUID), 0
	decodetest.EachEvent(t, func(ev *decode.Event) {
		if ev.Family != decode.FamilyEvent || ev.Header().ActivityID().IsZero() {
			return
		}
		id := ev.Header().ActivityID()
		if path, ok := activity.AppendPath(nil, id, ev.Header().ProcessID()); ok {
			paths[string(path)] = id
		} else {
			others++
		}
	}, func(trace string) {
		t.Logf("%s: %d paths, %d events with other ids", trace, len(paths), others)
		want := map[string]string{}
		count := 0
		if trace == "diaghub.user_paged.1.etl" {
			count = 111
			want = map[string]string{
				"//1/1/8": "00008011-0000-0000-0000-0000e2119e59",
				"//1/7":   "00000017-0000-0000-0000-000098919d59",
				"//1/37":  "0000251c-0000-0000-0000-000095b69d59",
				"//1/95":  "00005f1c-0000-0000-0000-000095f09d59",
			}
		}
		for path, id := range want {
			if got := paths[path].String(); got != id {
				t.Errorf("%s: %s is %s, want %s", trace, path, got, id)
			}
		}
		if len(paths) != count {
			t.Errorf("%s: %d paths, want %d", trace, len(paths), count)
		}
		clear(paths)
		others = 0
	})
}

func FuzzActivityPath(f *testing.F) {
	f.Add([]byte{0x12, 0x30}, uint32(77), uint32(77))
	f.Add([]byte{0x1c, 0x25}, uint32(0), uint32(77))
	f.Add([]byte{0xb1, 0x1f, 0xff, 0, 0xcb, 0xd0, 7}, uint32(77), uint32(78))
	f.Fuzz(func(t *testing.T, path []byte, of, process uint32) {
		id := pathID(path[:min(len(path), 12)], of)
		before := []byte("before")
		got, ok := activity.AppendPath(before, id, process)
		text, found := bytes.CutPrefix(got, before)
		switch {
		case !found:
			t.Fatalf("%v: %q lacks the text that dst held", id, got)
		case len(text) > activity.MaxPath:
			t.Fatalf("%v: %q is %d bytes long", id, text, len(text))
		case ok && of != process && of != 0:
			t.Fatalf("%v: %q in process %d, made for %d", id, text, process, of)
		case ok != (len(text) > 2 && text[0] == '/' && strings.Trim(string(text), "/$0123456789") == ""):
			t.Fatalf("%v: %q, %t", id, text, ok)
		}
	})
}
