package eventinfo

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/etl2parquet/etl2parquet/schema"
)

// recordText writes a record: the event, and a line for each field.
func recordText(r *Record) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %v %q %d version %d classic %t\n", r.Source, r.GUID, r.Class, r.ID, r.Version, r.Classic)
	fmt.Fprintf(&b, "name %q, shown as %q, channel %d %q, level %d %q, task %d %q, opcode %d %q\n", r.Name, r.DisplayName(),
		r.Channel, r.ChannelName, r.Level, r.LevelName, r.Task, r.TaskName, r.Opcode, r.OpcodeName)
	fmt.Fprintf(&b, "keyword %#x %q, tags %#x\nmessage %q, inserts %v\n", r.Keyword, r.Keywords, r.Tags, r.MessageText, r.inserts)
	writeFields(&b, r.Fields, "  ")
	return b.String()
}

func writeFields(b *strings.Builder, fields []schema.Field, indent string) {
	for i := range fields {
		f := &fields[i]
		b.WriteString(indent + f.Name + " " + fieldType(f))
		if f.Values != "" {
			b.WriteString(" map " + f.Values)
		}
		if f.Map != nil {
			b.WriteString(" linked to " + f.Map.Name)
		}
		b.WriteString("  // " + f.Doc + "\n")
		writeFields(b, f.Struct, indent+"  ")
	}
}

// fieldType writes how a field is stored: "[count]chars16:8".
func fieldType(f *schema.Field) string {
	var b strings.Builder
	switch {
	case f.CountField != "":
		b.WriteString("[" + f.CountField + "]")
	case f.Count != 0:
		fmt.Fprintf(&b, "[%d]", f.Count)
	}
	if f.Struct != nil {
		return b.String() + "struct"
	}
	b.WriteString(f.Kind.String())
	switch {
	case f.LengthField != "":
		b.WriteString(":" + f.LengthField)
	case f.LengthPrefix != schema.NoPrefix:
		fmt.Fprintf(&b, ":prefix %d", f.LengthPrefix)
	case f.Length == schema.Rest:
		b.WriteString(":rest")
	case f.Length != 0:
		fmt.Fprintf(&b, ":%d", f.Length)
	}
	if f.Hex {
		b.WriteString(" hex")
	}
	return b.String()
}

// checkRecord checks the properties of all records.
func checkRecord(t testing.TB, r *Record) {
	t.Helper()
	if r.Source != schema.FromEventInfo || r.Message != nil {
		t.Fatalf("%v, %v", r.Source, r.Message)
	}
	for _, text := range append([]string{r.Class, r.Name, r.LevelName, r.ChannelName, r.TaskName, r.OpcodeName, r.MessageText}, r.Keywords...) {
		if !utf8.ValidString(text) || strings.HasSuffix(text, " ") {
			t.Fatalf("%q is no name", text)
		}
	}
	seen := make(map[int]bool)
	for n := range len(r.inserts) + 2 {
		index, ok := r.Insert(n)
		if ok && (index < 0 || index >= len(r.Fields) || seen[index]) || !ok && index != 0 {
			t.Fatalf("%%%d is field %d, %t, of %d", n, index, ok, len(r.Fields))
		}
		seen[index] = ok || seen[index]
	}
	checkFields(t, r.Fields, nil, 0)
}

// checkFields checks that fields have distinct names and refer to earlier numbers.
func checkFields(t testing.TB, fields []schema.Field, outer []map[string]*schema.Field, depth int) {
	t.Helper()
	if depth > maxDepth && len(fields) > 0 {
		t.Fatalf("structures nested %d deep", depth)
	}
	names := make(map[string]*schema.Field, len(fields))
	scopes := append([]map[string]*schema.Field{names}, outer...)
	for i := range fields {
		f := &fields[i]
		if f.Name == "" || names[f.Name] != nil || f.Doc == "" || !utf8.ValidString(f.Doc) || !utf8.ValidString(f.Values) {
			t.Fatalf("%q, %q: no distinct name, or no valid documentation", f.Name, f.Doc)
		}
		switch {
		case f.Struct != nil && (len(f.Struct) == 0 || f.Kind != 0) || f.Struct == nil && f.Kind == 0:
			t.Fatalf("%s: a structure of %d fields, and of kind %d", f.Name, len(f.Struct), f.Kind)
		case f.Count < 0 || f.Count > 0 && f.CountField != "" || f.CountPrefix || f.Length != 0 && f.LengthField != "":
			t.Fatalf("%s: counted in two ways: %+v", f.Name, f)
		}
		for _, name := range []string{f.CountField, f.LengthField} {
			if name != "" && !isEarlierNumber(name, scopes) {
				t.Fatalf("%s: %s is not an earlier number", f.Name, name)
			}
		}
		checkFields(t, f.Struct, scopes, depth+1)
		names[f.Name] = f
	}
}

func isEarlierNumber(name string, scopes []map[string]*schema.Field) bool {
	for _, names := range scopes {
		if f := names[name]; f != nil {
			return f.Struct == nil && !f.IsArray() && f.Kind.IsNumber()
		}
	}
	return false
}

func checkValues(t testing.TB, v *schema.Values) {
	t.Helper()
	for i, n := range v.Names {
		if n.Name == "" || !utf8.ValidString(n.Name) || strings.HasSuffix(n.Name, " ") || i > 0 && n.Value <= v.Names[i-1].Value {
			t.Fatalf("%+v: not sorted by value, or a bad name", v)
		}
	}
}
