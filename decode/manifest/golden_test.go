package manifest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/decode/manifest"
	"github.com/etl2parquet/etl2parquet/schema"
)

func goldens(t testing.TB) []decodetest.Golden { return decodetest.Goldens(t, "manifest", 5) }

func TestGolden(t *testing.T) {
	decodetest.RunGoldens(t, goldens(t), func(file []byte) string { return dump(manifest.Parse(file, schema.FromManifest)) })
}

// dump writes everything read from a manifest.
func dump(m *manifest.Manifest, err error) string {
	if err != nil {
		return "FAILURE\n" + err.Error() + "\n"
	}
	var b strings.Builder
	for _, p := range m.Providers {
		fmt.Fprintf(&b, "provider %v %q\n", p.GUID, p.Name)
		for i := range p.Events {
			dumpEvent(&b, &p.Events[i])
		}
	}
	for _, err := range m.Errors {
		fmt.Fprintf(&b, "error %v\n", err)
	}
	if m.MoreErrors > 0 {
		fmt.Fprintf(&b, "%d errors more\n", m.MoreErrors)
	}
	return b.String()
}

func dumpEvent(b *strings.Builder, e *manifest.Event) {
	fmt.Fprintf(b, "event %d version %d: %q of %q, from %v\n", e.ID, e.Version, e.DisplayName(), e.Class, e.Source)
	for _, n := range []struct {
		what, name string
		value      int
	}{{"channel", e.ChannelName, int(e.Channel)}, {"level", e.LevelName, int(e.Level)}, {"task", e.TaskName, int(e.Task)}, {"opcode", e.OpcodeName, int(e.Opcode)}} {
		if n.value != 0 || n.name != "" {
			fmt.Fprintf(b, "  %s %d %q\n", n.what, n.value, n.name)
		}
	}
	if e.Keyword != 0 {
		fmt.Fprintf(b, "  keyword %#x %q\n", e.Keyword, e.Keywords)
	}
	dumpFields(b, e.Fields, "  ")
	if e.MessageText != "" {
		fmt.Fprintf(b, "  message %q", e.MessageText)
		for n := 1; n < 100; n++ {
			if index, ok := e.Insert(n); ok {
				fmt.Fprintf(b, " %%%d=%s", n, e.Fields[index].Name)
			}
		}
		b.WriteByte('\n')
	}
}

func dumpFields(b *strings.Builder, fields []schema.Field, indent string) {
	for i := range fields {
		f := &fields[i]
		kind := f.Kind.String()
		if f.Struct != nil {
			kind = "struct"
		}
		fmt.Fprintf(b, "%s%s %s", indent, f.Name, kind)
		if f.Length != 0 || f.LengthField != "" {
			fmt.Fprintf(b, " length %d%s", f.Length, f.LengthField)
		}
		if f.Count != 0 || f.CountField != "" {
			fmt.Fprintf(b, " count %d%s", f.Count, f.CountField)
		}
		if f.Hex {
			b.WriteString(" hex")
		}
		if f.Map != nil {
			fmt.Fprintf(b, " %q flags=%v %v", f.Map.Name, f.Map.Flags, f.Map.Names)
		}
		fmt.Fprintf(b, " (%s)\n", f.Doc)
		dumpFields(b, f.Struct, indent+"  ")
	}
}
