package mof_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/decode/mof"
	"github.com/etl2parquet/etl2parquet/schema"
)

func goldens(t testing.TB) []decodetest.Golden { return decodetest.Goldens(t, "mof", 4) }

func TestGolden(t *testing.T) {
	decodetest.RunGoldens(t, goldens(t), func(file []byte) string { return dump(mof.Parse(file)) })
}

// dump writes everything read from a file.
func dump(f *mof.File, err error) string {
	if err != nil {
		return "FAILURE\n" + err.Error() + "\n"
	}
	var b strings.Builder
	for _, e := range f.Events {
		version := fmt.Sprintf("version %d", e.Version)
		if e.AnyVersion {
			version = "any version"
		}
		fmt.Fprintf(&b, "%v type %d, %s: %q of %q", e.GUID, e.ID, version, e.Name, e.Class)
		if e.Doc != "" {
			fmt.Fprintf(&b, " (%s)", e.Doc)
		}
		b.WriteByte('\n')
		for i := range e.Fields {
			dumpField(&b, &e.Fields[i])
		}
	}
	for _, err := range f.Errors {
		fmt.Fprintf(&b, "error %v\n", err)
	}
	if f.MoreErrors > 0 {
		fmt.Fprintf(&b, "%d errors more\n", f.MoreErrors)
	}
	return b.String()
}

var prefixes = map[schema.Prefix]string{schema.BytesIn16: "u16 of bytes", schema.BytesIn16Big: "u16 of bytes, big-endian", schema.BytesIn32: "u32 of bytes"}

func dumpField(b *strings.Builder, f *schema.Field) {
	fmt.Fprintf(b, "  %s %v", f.Name, f.Kind)
	if f.Length != 0 || f.LengthField != "" {
		fmt.Fprintf(b, " length %d%s", f.Length, f.LengthField)
	}
	if f.LengthPrefix != schema.NoPrefix {
		fmt.Fprintf(b, " behind a %s", prefixes[f.LengthPrefix])
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
}
