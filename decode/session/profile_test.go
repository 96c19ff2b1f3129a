package session

import (
	"encoding/binary"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
)

// profileBlob writes an EVENT_TRACE_PROFILE_COUNTER_INFORMATION, with padding
// that is not zero.
func profileBlob(class uint32, handle uint64, sources ...uint32) []byte {
	b := binary.LittleEndian.AppendUint32(nil, class)
	b = binary.LittleEndian.AppendUint32(b, 0xCCCCCCCC)
	b = binary.LittleEndian.AppendUint64(b, handle)
	for _, s := range sources {
		b = binary.LittleEndian.AppendUint32(b, s)
	}
	return b
}

func TestParseProfileCounterInformation(t *testing.T) {
	tests := []struct {
		name   string
		blob   []byte
		want   *ProfileCounterInformation
		logger uint16
	}{
		{"counter list", profileBlob(0x0F, 3, 0x0B, 0x13, 0x19),
			&ProfileCounterInformation{ProfileCounterListClass, 3, []ProfileSource{0x0B, 0x13, 0x19}}, 3},
		{"kernel logger", profileBlob(0x0F, 0xFFFF, 0x0A),
			&ProfileCounterInformation{ProfileCounterListClass, 0xFFFF, []ProfileSource{0x0A}}, KernelLoggerID},
		{"only 16 bits of the handle count", profileBlob(0x0F, 0xFFEEDDCCBBAA9988, 0xFFFFFFFF),
			&ProfileCounterInformation{ProfileCounterListClass, 0xFFEEDDCCBBAA9988, []ProfileSource{0xFFFFFFFF}}, 0x9988},
		{"sizeof gives a second source", append(profileBlob(0x0F, 1, 2), 0, 0, 0, 0),
			&ProfileCounterInformation{ProfileCounterListClass, 1, []ProfileSource{2, 0}}, 1},
		{"config", profileBlob(0x0C, 0, 0),
			&ProfileCounterInformation{ProfileConfigClass, 0, []ProfileSource{0}}, 0},
		{"config without sources", profileBlob(0x0C, 0),
			&ProfileCounterInformation{ProfileConfigClass, 0, []ProfileSource{}}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ParseProfileCounterInformation(tt.blob)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
			if got.LoggerID() != tt.logger {
				t.Errorf("logger %#x, want %#x", got.LoggerID(), tt.logger)
			}
		})
	}
}

func TestParseProfileCounterInformationHostile(t *testing.T) {
	list := profileBlob(0x0F, 1, 2, 3)
	tests := []struct {
		name  string
		blob  []byte
		cause error
		pos   int
	}{
		{"nil", nil, decode.ErrTruncated, 0},
		{"no handle", list[:0x08], decode.ErrTruncated, 0},
		{"handle cut off", list[:0x0F], decode.ErrTruncated, 0},
		{"no source in a counter list", list[:0x10], decode.ErrCorrupt, 0x10},
		{"first source cut off", list[:0x11], decode.ErrTruncated, 0x10},
		{"second source cut off", list[:0x17], decode.ErrTruncated, 0x14},
		{"class 0", profileBlob(0, 1, 2), decode.ErrUnsupported, 0},
		{"class of a list of events", profileBlob(0x0E, 1, 2), decode.ErrUnsupported, 0},
		{"class past the enumeration", profileBlob(0xFFFFFFFF, 1, 2), decode.ErrUnsupported, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ParseProfileCounterInformation(tt.blob)
			if got != nil || !errors.Is(err, tt.cause) {
				t.Fatalf("got %+v, %v, want %v", got, err, tt.cause)
			}
			checkSessionError(t, err, tt.pos)
		})
	}
}

// checkSessionError fails unless err is an *Error with only a position.
func checkSessionError(t testing.TB, err error, pos int) {
	t.Helper()
	var e *decode.Error
	if !errors.As(err, &e) {
		t.Fatalf("%v is no *Error", err)
	}
	if e.Buffer != -1 || e.Offset != -1 || e.Pos != pos || e.Where == "" {
		t.Errorf("%+v, want position %#x", e, pos)
	}
}

func TestProfileSourceNames(t *testing.T) {
	seen := map[string]bool{}
	for value, name := range profileSourceNames {
		if !strings.HasPrefix(name, "Profile") || seen[name] {
			t.Errorf("%#x: bad name %q", value, name)
		}
		seen[name] = true
	}
	for source, want := range map[ProfileSource]string{
		0: "ProfileTime", 0x0F: "Profile2Issue", 0x17: "ProfileLoadLinkedIssues",
		0x18: "ProfileMaximum", 0x19: "ProfileSource(25)",
		0xFFFFFFFF: "ProfileSource(4294967295)",
	} {
		if got := source.String(); got != want {
			t.Errorf("%#x: got %q, want %q", uint32(source), got, want)
		}
	}
	for class, want := range map[ProfileCounterClass]string{
		ProfileConfigClass:      "EventTraceProfileConfigInformation",
		ProfileCounterListClass: "EventTraceProfileCounterListInformation",
		14:                      "ProfileCounterClass(14)",
	} {
		if got := class.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func FuzzParseProfileCounterInformation(f *testing.F) {
	f.Add([]byte(nil))
	f.Add(profileBlob(0x0F, 3, 0x0B, 0x13, 0x19))
	f.Add(profileBlob(0x0C, 0xFFFF, 0))
	f.Add(profileBlob(0x0F, 1, 2)[:0x11])
	f.Fuzz(func(t *testing.T, blob []byte) {
		before := string(blob)
		p, err := ParseProfileCounterInformation(blob)
		if string(blob) != before {
			t.Fatal("the blob was changed")
		}
		if (err == nil) != (p != nil) {
			t.Fatalf("result %+v and error %v", p, err)
		}
		if err != nil {
			var e *decode.Error
			if !errors.As(err, &e) {
				t.Fatalf("%v is no *Error", err)
			}
			if e.Pos < 0 || e.Pos > len(blob) {
				t.Fatalf("position %#x of %#x bytes: %v", e.Pos, len(blob), err)
			}
			return
		}
		// Writing the result gives the same blob, except for the padding.
		again := binary.LittleEndian.AppendUint32(nil, uint32(p.Class))
		again = append(again, blob[4:8]...)
		again = binary.LittleEndian.AppendUint64(again, p.TraceHandle)
		for _, s := range p.Sources {
			again = binary.LittleEndian.AppendUint32(again, uint32(s))
			if s.String() == "" {
				t.Fatal("source without a name")
			}
		}
		if string(again) != before {
			t.Fatalf("%x became %x", before, again)
		}
	})
}
