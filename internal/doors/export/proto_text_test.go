package export

import (
	"encoding/binary"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// protoField is a field in the definitions of testdata/perfetto.proto.
type protoField struct{ kind, name string }

var (
	protoMessage  = regexp.MustCompile(`^message (\w+) \{$`)
	protoProperty = regexp.MustCompile(`^\s+(?:optional|repeated) (\w+) (\w+) = (\d+);$`)
)

// definitions returns the fields by message and number.
func definitions(t *testing.T) map[string]map[int]protoField {
	t.Helper()
	text := testenv.ReadFile(t, "testdata/perfetto.proto")
	messages := make(map[string]map[int]protoField)
	var fields map[int]protoField
	for _, line := range strings.Split(string(text), "\n") {
		if m := protoMessage.FindStringSubmatch(line); m != nil {
			fields = make(map[int]protoField)
			messages[m[1]] = fields
		}
		if m := protoProperty.FindStringSubmatch(line); m != nil {
			number, err := strconv.Atoi(m[3])
			if err != nil {
				t.Fatal(err)
			}
			fields[number] = protoField{m[1], m[2]}
		}
	}
	return messages
}

// protoText returns a Perfetto trace as text. A field that the definitions lack is an error.
func protoText(t *testing.T, file []byte) string {
	t.Helper()
	var b strings.Builder
	defs := definitions(t)
	var write func(message string, bytes []byte, indent string)
	write = func(message string, bytes []byte, indent string) {
		for len(bytes) > 0 {
			key, n := binary.Uvarint(bytes)
			if n <= 0 {
				t.Fatalf("%s: no tag", message)
			}
			bytes = bytes[n:]
			field, ok := defs[message][int(key>>3)]
			if !ok {
				t.Errorf("%s: unknown field %d", message, key>>3)
			}
			switch key & 7 {
			case wireVarint:
				v, n := binary.Uvarint(bytes)
				if n <= 0 {
					t.Fatalf("%s.%s: no number", message, field.name)
				}
				fmt.Fprintf(&b, "%s%s: %d\n", indent, field.name, int64(v))
				bytes = bytes[n:]
			case wireDouble:
				fmt.Fprintf(&b, "%s%s: %g\n", indent, field.name, math.Float64frombits(binary.LittleEndian.Uint64(bytes)))
				bytes = bytes[8:]
			case wireBytes:
				size, n := binary.Uvarint(bytes)
				if n <= 0 || size > uint64(len(bytes)-n) {
					t.Fatalf("%s.%s: too long", message, field.name)
				}
				value := bytes[n : n+int(size)]
				bytes = bytes[n+int(size):]
				if field.kind == "string" {
					fmt.Fprintf(&b, "%s%s: %s\n", indent, field.name, strconv.QuoteToASCII(string(value)))
					continue
				}
				fmt.Fprintf(&b, "%s%s {\n", indent, field.name)
				write(field.kind, value, indent+"  ")
				fmt.Fprintf(&b, "%s}\n", indent)
			default:
				t.Fatalf("%s.%s: wire type %d", message, field.name, key&7)
			}
		}
	}
	write("Trace", file, "")
	return b.String()
}
