package mof_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode/mof"
	"github.com/etl2parquet/etl2parquet/schema"
)

var update = flag.Bool("update", false, "rewrite the expect part of testdata/golden")

const (
	mofMark    = "-- mof --\n"
	expectMark = "-- expect --\n"
)

// golden is a txtar archive of a file and what is read of it.
type golden struct{ path, comment, mof, expect string }

func goldens(t testing.TB) []golden {
	t.Helper()
	paths, err := filepath.Glob("testdata/golden/*.txtar")
	if err != nil || len(paths) < 4 {
		t.Fatalf("%d goldens: %v", len(paths), err)
	}
	var all []golden
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		g := golden{path: path}
		var ok bool
		if g.comment, g.mof, ok = strings.Cut(string(text), mofMark); !ok || g.comment == "" {
			t.Fatalf("%s: no comment, or no file", path)
		}
		g.mof, g.expect, _ = strings.Cut(g.mof, expectMark)
		all = append(all, g)
	}
	return all
}

func TestGolden(t *testing.T) {
	for _, g := range goldens(t) {
		t.Run(filepath.Base(g.path), func(t *testing.T) {
			got := dump(mof.Parse([]byte(g.mof)))
			if got == g.expect {
				return
			}
			if !*update {
				t.Fatalf("-want +got, or use -update:\n%s", cmp.Diff(g.expect, got))
			}
			text := g.comment + mofMark + g.mof + expectMark + got
			if err := os.WriteFile(g.path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// dump writes all that is read of a file.
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
