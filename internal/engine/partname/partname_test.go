package partname

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/unicode/norm"

	"github.com/etl2parquet/etl2parquet/schema"
)

func TestTraceNames(t *testing.T) {
	long := strings.Repeat("long", 60)
	for name, test := range map[string]struct{ inputs, want []string }{
		"plain":                   {[]string{"boot.etl", "dir/net.etl", "/abs/cpu.ETL"}, []string{"boot", "net", "cpu"}},
		"dots":                    {[]string{"net.4.5.2.x86.etl", "a..etl", "...etl", "..b..etl"}, []string{"net.4.5.2.x86", "a", "trace", "b"}},
		"other extension":         {[]string{"a.etl.001", "b.zip", "c"}, []string{"a.etl.001", "b.zip", "c"}},
		"only an extension":       {[]string{".etl"}, []string{"trace"}},
		"nothing":                 {[]string{""}, []string{"trace"}},
		"root":                    {[]string{"/"}, []string{"trace_"}},
		"unsafe":                  {[]string{"a b=c/d%e:f*.etl", `x\y.etl`, "a\x00b\xff.etl", "a\u202eb\u200d\ufeffc\u00add.etl", "e\ufe0fx\u115f.etl"}, []string{"d_e_f_", "x_y", "a_b_", "a_b__c_d", "e_x_"}},
		"languages":               {[]string{"日本.etl", "über.etl", "हिन्दी.etl", "Ελληνικά ٤٢.ETL", "한글.etl"}, []string{"日本", "über", "हिन्दी", "Ελληνικά_٤٢", "한글"}},
		"composed":                {[]string{"u\u0308ber.etl", "\u1112\u1161\u11ab.etl", "\u212b.etl"}, []string{"über", "한", "Å"}},
		"mark only":               {[]string{"\u0301a.etl"}, []string{"trace_\u0301a"}},
		"numbers":                 {[]string{"x².etl", "Ⅷ.etl", "com¹.etl"}, []string{"x_", "trace_", "com_"}},
		"underscore":              {[]string{"_a.etl"}, []string{"trace_a"}},
		"reserved":                {[]string{"con.etl", "NUL.x.etl", "com1.etl", "lpt0.etl", "com10.etl", "console.etl"}, []string{"tracecon", "traceNUL.x", "tracecom1", "tracelpt0", "com10", "console"}},
		"bundle":                  {[]string{"bundle_0123456789abcdef.etl", "Bundle_0123456789ABCDEF_2.etl", "bundle_1.etl"}, []string{"tracebundle_0123456789abcdef", "traceBundle_0123456789ABCDEF_2", "bundle_1"}},
		"long":                    {[]string{long + ".etl"}, []string{long[:maxNameLength]}},
		"long, dot":               {[]string{long[:maxNameLength-1] + "." + long}, []string{long[:maxNameLength-1]}},
		"same name":               {[]string{"a/x.etl", "b/x.etl", "y.etl"}, []string{Hashed("a/x.etl"), Hashed("b/x.etl"), "y"}},
		"same but for case":       {[]string{"a/x.etl", "b/X.ETL"}, []string{Hashed("a/x.etl"), Hashed("b/X.ETL")}},
		"same but for Greek case": {[]string{"ΣΑΣ.etl", "σας.etl"}, []string{Hashed("ΣΑΣ.etl"), Hashed("σας.etl")}},
		"same when composed":      {[]string{"a/\u00fc.etl", "b/u\u0308.etl"}, []string{Hashed("a/\u00fc.etl"), Hashed("b/u\u0308.etl")}},
		"long, in bytes":          {[]string{strings.Repeat("日", 60) + ".etl", "a" + strings.Repeat("日", 60) + ".etl"}, []string{strings.Repeat("日", 40), "a" + strings.Repeat("日", 39)}},
		"same when safe":          {[]string{"a b.etl", "a_b.etl"}, []string{Hashed("a b.etl"), Hashed("a_b.etl")}},
		"same when cut":           {[]string{long + "1.etl", long + "2.etl"}, []string{Hashed(long + "1.etl"), Hashed(long + "2.etl")}},
		"no inputs":               {nil, []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			if os.PathSeparator == '\\' {
				t.Skip("the names need a system that separates folders by /")
			}
			if diff := cmp.Diff(test.want, OfTraces(test.inputs)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestEarlierNames checks the names of datasets that were written before names kept the letters of all
// languages.
func TestEarlierNames(t *testing.T) {
	for input, want := range map[string]string{"日本.etl": "trace__", "a/über.etl": "trace_ber", "naïve.ETL": "na_ve", "boot.etl": "", "a b.etl": ""} {
		names := Earlier(input)
		if want == "" {
			if names != nil {
				t.Errorf("%s: %q", input, names)
			}
			continue
		}
		if len(names) != 5 || names[0] != want || !strings.HasPrefix(names[1], want+"-") || len(names[1]) != len(want)+9 {
			t.Errorf("%s: %q, want %q", input, names, want)
		}
		if hash := strings.TrimPrefix(names[1], want); !strings.HasSuffix(Hashed(input), hash) {
			t.Errorf("%s: the hash %s, want that of %s", input, hash, Hashed(input))
		}
	}
}

func TestHashedName(t *testing.T) {
	name := Hashed("x.etl")
	if !regexp.MustCompile(`^x-[0-9a-f]{8}$`).MatchString(name) {
		t.Errorf("name %q", name)
	}
	absolute, err := filepath.Abs("x.etl")
	if err != nil {
		t.Fatal(err)
	}
	for _, same := range []string{"./x.etl", "y/../x.etl", absolute} {
		if Hashed(same) != name {
			t.Errorf("%s: %q, want %q", same, Hashed(same), name)
		}
	}
	if Hashed("y/x.etl") == name {
		t.Error("files in two folders have the same name")
	}
	if got, want := Hashed("/dev/stdin//x.etl"), "x-b329f84f"; got != want { // the same on Windows
		t.Errorf("standard input: %q, want %q", got, want)
	}
}

// FuzzTraceNames checks that every input gets a file name that is safe on every system, and
// that two inputs get different names.
func FuzzTraceNames(f *testing.F) {
	for _, seed := range []string{"", ".", "..", "/", "a/b.etl", `C:\x.etl`, "con", "aux.etl", "_x", "a=b", ".etl", "....", strings.Repeat("x", 300), "\xff", "x.", "nul..etl", "com¹", "日本", "e\u0301", "\u0301"} {
		f.Add(seed, "a/b.etl")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		names := OfTraces([]string{a, b})
		for _, name := range append(names, Hashed(a)) {
			if strings.ContainsFunc(name, func(r rune) bool { return !schema.IsNameRune(r) }) || !norm.NFC.IsNormalString(name) || len(name) > maxNameLength+10 || strings.HasPrefix(name, ".") || strings.HasSuffix(name, ".") ||
				filepath.Base(name) != name || schema.IsDeviceName(name) {
				t.Errorf("name %q", name)
			}
		}
		for _, name := range slices.Concat(names, AllHashed(b), Earlier(b)) {
			if !IsOfTrace(name) {
				t.Errorf("%q is no name", name)
			}
		}
		absA, errA := filepath.Abs(a)
		absB, errB := filepath.Abs(b)
		if errA == nil && errB == nil && absA != absB && Fold(names[0]) == Fold(names[1]) {
			t.Errorf("%q and %q have the same name, %q", a, b, names[0])
		}
	})
}

func TestIsTraceName(t *testing.T) {
	for _, name := range []string{"", ".", "..", "a/b", `a\b`, "../x", "_x", ".x", "x.", "con", "a b", "a=b", "u\u0308", "\u0301a", "a\u202eb", "a\xff", strings.Repeat("x", 201)} {
		if IsOfTrace(name) {
			t.Errorf("%q is a name", name)
		}
	}
}

// TestHashedURL checks that the name of a URL does not depend on the system.
func TestHashedURL(t *testing.T) {
	const url = "s3://bucket/in/boot.etl"
	want := AllHashed(url)
	t.Chdir(t.TempDir())
	if got := AllHashed(url); !slices.Equal(got, want) || !strings.HasPrefix(got[0], "boot-") {
		t.Errorf("%v, want %v", got, want)
	}
}
