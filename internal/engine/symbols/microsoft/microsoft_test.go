package microsoft_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/internal/engine/symbols/microsoft"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

const golden = "testdata/names.golden"

// goldenNames returns the decorated names of the golden file, and the file.
func goldenNames(t testing.TB) (names []string, file string) {
	t.Helper()
	b := testenv.ReadFile(t, golden)
	for line := range strings.Lines(string(b)) {
		if line[0] != '\t' {
			names = append(names, strings.TrimSpace(line))
		}
	}
	if len(names) < 300 {
		t.Fatalf("%d names in %s", len(names), golden)
	}
	return names, string(b)
}

// TestGolden reads names of the corpus, and some of Microsoft's compilers. The golden file has the
// decorated name, the name, and the declaration. To add a name, add its line and run with -update.
func TestGolden(t *testing.T) {
	names, want := goldenNames(t)
	var b strings.Builder
	for _, decorated := range names {
		name, ok1 := microsoft.Name(decorated)
		declaration, ok2 := microsoft.Declaration(decorated)
		if !ok1 || !ok2 {
			t.Errorf("%s: not read", decorated)
		}
		b.WriteString(decorated + "\n\t" + name + "\n\t" + declaration + "\n")
	}
	if *testenv.Update {
		testenv.WriteFile(t, golden, b.String())
		return
	}
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestBackReferences checks digits that refer to an earlier parameter type or name. An instance of
// a template has its own list of names and none of the function's types, and the function's lists
// continue after it.
func TestBackReferences(t *testing.T) {
	for _, test := range []struct{ name, decorated, want string }{
		{"type behind a template, 64 bits", "?f@@YAXPEAUX@@V?$A@PEAUY@@@@0@Z", "void __cdecl f(struct X *, class A<struct Y *>, struct X *)"},
		{"type behind a template, 32 bits", "?f@@YAXPAUX@@V?$A@PAUY@@@@0@Z", "void __cdecl f(struct X *, class A<struct Y *>, struct X *)"},
		{"the template itself, 64 bits", "?f@@YAXPEAUX@@V?$A@PEAUY@@@@1@Z", "void __cdecl f(struct X *, class A<struct Y *>, class A<struct Y *>)"},
		{"the template itself, 32 bits", "?f@@YAXPAUX@@V?$A@PAUY@@@@1@Z", "void __cdecl f(struct X *, class A<struct Y *>, class A<struct Y *>)"},
		{"types of a function in a template, 64 bits", "?f@@YAXPEAUX@@V?$A@P6AXPEAUY@@0@Z@@01@Z",
			"void __cdecl f(struct X *, class A<void (__cdecl *)(struct Y *, struct Y *)>, struct X *, class A<void (__cdecl *)(struct Y *, struct Y *)>)"},
		{"types of a function in a template, 32 bits", "?f@@YAXPAUX@@V?$A@P6AXPAUY@@0@Z@@01@Z",
			"void __cdecl f(struct X *, class A<void (__cdecl *)(struct Y *, struct Y *)>, struct X *, class A<void (__cdecl *)(struct Y *, struct Y *)>)"},
		{"name behind a template, 64 bits", "?f@@YAXPEAUX@@V?$A@PEAUY@@U1@@@PEAU1@@Z", "void __cdecl f(struct X *, class A<struct Y *, struct Y>, struct X *)"},
		{"name behind a template, 32 bits", "?f@@YAXPAUX@@V?$A@PAUY@@U1@@@PAU1@@Z", "void __cdecl f(struct X *, class A<struct Y *, struct Y>, struct X *)"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got, ok := microsoft.Declaration(test.decorated); !ok || got != test.want {
				t.Errorf("%s is\n%q, want\n%q", test.decorated, got, test.want)
			}
		})
	}
}

// TestInvalid checks invalid and hostile names.
func TestInvalid(t *testing.T) {
	for name, decorated := range map[string]string{
		"empty":               "",
		"one character":       "?",
		"of C":                "main",
		"Itanium":             "_Z1fv",
		"cut in the name":     "?f",
		"cut in the scopes":   "?f@a@",
		"cut in parameters":   "?f@@YAXH",
		"not all":             "?f@@YAXXZ@",
		"unknown operator":    "??_Zf@@YAXXZ",
		"no class":            "??0@QEAA@XZ",
		"structor of nothing": "??1@@QEAA@XZ",
		"no such name":        "?f@1@@YAXXZ",
		"no such type":        "?f@@YAX0@Z",
		"type in a template":  "?f@@YAXPEAHV?$A@0@@@Z",
		"a number too large":  "?f@?$A@$0AAAAAAAAAAAAAAAAAAAAAAAAB@$0BAAAAAAAAAAAAAAAA@@@YAXXZ",
		"number of letters":   "?f@?$A@$0Z@@@YAXXZ",
		"huge array":          "?x@@3YPPPPPPPP@A",
		"array of nothing":    "?x@@3Y0",
		"deep pointers":       "?x@@3" + strings.Repeat("PEA", 10_000) + "HEA",
		"deep templates":      "?x@@3" + strings.Repeat("U?$A@", 5_000),
		"deep functions":      "?x@@3" + strings.Repeat("P6A", 5_000),
		"deep scopes":         strings.Repeat("?x@?1?", 5_000),
		"deep results":        "?x@@YA" + strings.Repeat("P6A", 2_000) + "XXZ",
		"too long":            "?" + strings.Repeat("x", 1<<20) + "@@3HA",
		"growing types":       growing(),
		"literal of nothing":  "??_C@_00@@",
		"literal longer":      "??_C@_01A@abc@",
		"hash of less":        "??@abc@",
		"unknown conversion":  "??BA@@QEAA@XZ",
		"unknown thunk":       "?f@A@@$9A@AEXXZ",
		"type name and more":  ".?AVFoo@@x",
	} {
		t.Run(name, func(t *testing.T) {
			if got, ok := microsoft.Name(decorated); ok || len(got) > 1<<17 {
				t.Errorf("name %.100q", got)
			}
			if got, ok := microsoft.Declaration(decorated); ok || len(got) > 1<<17 {
				t.Errorf("declaration %.100q", got)
			}
		})
	}
}

// growing returns a name in which each scope repeats as much as it can of those before it.
func growing() string {
	inner := "?$A@UB@@@"
	for range 24 {
		inner = "?$A@U" + inner + "@U1@U1@U1@@"
	}
	return "?f@" + inner + "@YAXXZ"
}

func FuzzName(f *testing.F) {
	names, _ := goldenNames(f)
	for _, name := range names {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, decorated string) {
		name, ok1 := microsoft.Name(decorated)
		declaration, ok2 := microsoft.Declaration(decorated)
		switch {
		case ok1 && name == "" || ok2 && declaration == "":
			t.Errorf("%q has no text", decorated)
		case ok2 && !ok1:
			t.Errorf("%q is a declaration %q without a name", decorated, declaration)
		case len(name) > 1<<16 || len(declaration) > 1<<16:
			t.Errorf("%d bytes of %q", max(len(name), len(declaration)), decorated)
		}
	})
}

func BenchmarkName(b *testing.B) {
	names, _ := goldenNames(b)
	b.ReportAllocs()
	for b.Loop() {
		for _, name := range names {
			microsoft.Name(name)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(names)), "ns/name")
}
