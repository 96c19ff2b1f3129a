package tracelogging

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/etl2parquet/etl2parquet/schema"
)

// schemaText writes a schema: a line for the event and one for each field.
func schemaText(s *schema.Schema) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %q", s.Source, s.Name)
	if s.Doc != "" {
		fmt.Fprintf(&b, "  // %s", s.Doc)
	}
	b.WriteByte('\n')
	writeFields(&b, s.Fields, "  ")
	return b.String()
}

func writeFields(b *strings.Builder, fields []schema.Field, indent string) {
	for i := range fields {
		f := &fields[i]
		b.WriteString(indent + f.Name + " " + fieldType(f) + "  // " + f.Doc + "\n")
		writeFields(b, f.Struct, indent+"  ")
	}
}

// fieldType writes how a field is stored: "u32 hex", "[n]chars16:u16 bytes".
func fieldType(f *schema.Field) string {
	var b strings.Builder
	switch {
	case f.CountPrefix:
		b.WriteString("[u16]")
	case f.Count != 0:
		fmt.Fprintf(&b, "[%d]", f.Count)
	}
	if f.Struct != nil {
		return b.String() + "struct"
	}
	b.WriteString(f.Kind.String())
	switch {
	case f.LengthPrefix == schema.UnitsIn16:
		b.WriteString(":u16")
	case f.LengthPrefix == schema.BytesIn16:
		b.WriteString(":u16 bytes")
	case f.LengthPrefix != schema.NoPrefix:
		b.WriteString(":a prefix that TraceLogging does not have")
	case f.Length != 0:
		fmt.Fprintf(&b, ":%d", f.Length)
	}
	if f.Hex {
		b.WriteString(" hex")
	}
	return b.String()
}

// checkSchema checks the properties of all schemas.
func checkSchema(t testing.TB, s *schema.Schema) {
	t.Helper()
	if s.Source != schema.FromTraceLogging || !utf8.ValidString(s.Name) {
		t.Fatalf("%v, %q", s.Source, s.Name)
	}
	checkFields(t, s.Fields, 0)
}

func checkFields(t testing.TB, fields []schema.Field, depth int) {
	t.Helper()
	if depth > maxDepth && len(fields) > 0 {
		t.Fatalf("structures nested %d deep", depth)
	}
	names := make(map[string]bool, len(fields))
	for i := range fields {
		f := &fields[i]
		if f.Name == "" || names[f.Name] || f.Doc == "" || !utf8.ValidString(f.Doc) {
			t.Fatalf("%q, %q: no distinct name, or no valid documentation", f.Name, f.Doc)
		}
		names[f.Name] = true
		switch {
		case f.Struct != nil && (len(f.Struct) == 0 || f.Kind != 0):
			t.Fatalf("%s: a structure of %d fields, and of kind %d", f.Name, len(f.Struct), f.Kind)
		case f.Struct == nil && f.Kind == 0:
			t.Fatalf("%s: no kind", f.Name)
		case f.Struct == nil && f.Kind.HasLength() && f.Length <= 0 && f.LengthPrefix == schema.NoPrefix:
			t.Fatalf("%s: no length", f.Name)
		case f.Count < 0 || f.Count > 0 && f.CountPrefix || f.CountField != "" || f.LengthField != "":
			t.Fatalf("%s: TraceLogging has no such count: %+v", f.Name, f)
		}
		checkFields(t, f.Struct, depth+1)
	}
}
