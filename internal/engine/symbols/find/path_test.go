package find

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

func TestParsePath(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"a", "b", "with;semicolon", "srv*x"} {
		if err := os.Mkdir(name, 0o777); err != nil {
			t.Skip(err) // on Windows some characters are not allowed in names
		}
	}
	testenv.WriteFile(t, "file.pdb", "")
	for _, test := range []struct{ path, want string }{
		{"", ""},
		{";;", ""},
		{"a", "folder a"},
		{"a;b", "folder a, folder b"},
		{" a ; b ", "folder a, folder b"},
		{"with;semicolon", "folder with;semicolon"},
		{"srv*x", "folder srv*x"},
		{"file.pdb", "file file.pdb"},
		{"a/", "folder a"},
		{"missing", "folder missing"},
		{`C:\symbols;\\server\share`, `folder C:\symbols, folder \\server\share`},
		{"srv*https://server/symbols", "server https://server/symbols"},
		{"SRV*a*https://server/symbols", "folder a, server https://server/symbols"},
		{"srv*a*b*HTTP://server", "folder a, folder b, server HTTP://server"},
		{"srv**https://server", "server https://server"},
		{"srv*", ""},
		{"srv", "folder srv"},
		{"symsrv*symsrv.dll*a*https://server", "folder a, server https://server"},
		{"symsrv*other.dll", ""},
		{"symsrv", "folder symsrv"},
		{"cache*a;srv*https://server", "folder a, server https://server"},
		{"cache*", ""},
		{"https://server/symbols", "server https://server/symbols"},
		{"ftp://server", "folder ftp://server"},
		{"other*a", "folder other*a"},
	} {
		var got []string
		for _, p := range parsePath(test.path) {
			got = append(got, map[bool]string{true: "folder "}[p.folder != ""]+map[bool]string{true: "file "}[p.file != ""]+map[bool]string{true: "server "}[p.server != ""]+p.String())
		}
		if diff := cmp.Diff(test.want, strings.Join(got, ", ")); diff != "" {
			t.Errorf("%q (-want +got)\n%s", test.path, diff)
		}
	}
}

func TestBaseName(t *testing.T) {
	for _, test := range []struct{ path, want string }{
		{"ntdll.pdb", "ntdll.pdb"},
		{`C:\build\x64\ntdll.pdb`, "ntdll.pdb"},
		{"/usr/lib/ntdll.pdb", "ntdll.pdb"},
		{`\Device\HarddiskVolume3\Windows\System32\ntdll.dll`, "ntdll.dll"},
		{`..\..\..\etc\passwd`, "passwd"},
		{"naïve 名前.pdb", "naïve 名前.pdb"},
		{"with space.pdb", "with space.pdb"},
		{"communicator.pdb", "communicator.pdb"},
		{"com10.pdb", "com10.pdb"},
		{".pdb", ".pdb"},
		{"a%2e%2e%2fb.pdb", "a%2e%2e%2fb.pdb"},

		{"", ""}, {".", ""}, {"..", ""}, {`a\..`, ""}, {`a\`, ""}, {"...", ""}, {"a.pdb.", ""}, {"a.pdb ", ""}, {" a.pdb", ""},
		{"C:a.pdb", ""}, {"a.pdb:stream", ""}, {"a*.pdb", ""}, {"a?.pdb", ""}, {"a<b.pdb", ""}, {"a|b", ""}, {`a"b`, ""},
		{"nul", ""}, {"NUL.pdb", ""}, {"con.tar.pdb", ""}, {"com1.pdb", ""}, {"LPT¹.pdb", ""}, {"aux .pdb", ""}, {"conin$", ""},
		{"a\x00.pdb", ""}, {"a\n.pdb", ""}, {"a\x7f", ""}, {"a\u0085", ""}, {"a\xff.pdb", ""}, {strings.Repeat("a", 256), ""},
	} {
		got, err := baseName(test.path)
		if got != test.want || (err == nil) != (got != "") {
			t.Errorf("%q: %q, %v, want %q", test.path, got, err, test.want)
		}
	}
}

func FuzzBaseName(f *testing.F) {
	for _, name := range []string{"ntdll.pdb", `C:\a\b.pdb`, "..", "nul.pdb", "a/../b", "COM¹", "\x00"} {
		f.Add(name)
	}
	root := filepath.FromSlash("/cache")
	f.Fuzz(func(t *testing.T, path string) {
		name, err := baseName(path)
		if (err == nil) != (name != "") {
			t.Fatalf("%q, %v", name, err)
		}
		if err != nil {
			return
		}
		for _, name := range []string{name, (&request{name: name}).compressed()} {
			if at := filepath.Join(root, name, "id", name); filepath.Dir(filepath.Dir(filepath.Dir(at))) != root || filepath.Base(at) != name {
				t.Errorf("%q is at %q", path, at)
			}
			if !filepath.IsLocal(name) {
				t.Errorf("%q is not local", name)
			}
		}
	})
}

func FuzzParsePath(f *testing.F) {
	for _, path := range []string{"a;b", "srv*a*https://server", "symsrv*", "symsrv*symsrv.dll", "cache**", "*;*"} {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		for _, p := range parsePath(path) {
			if p.String() == "" || p.server != "" && !isAddress(p.server) {
				t.Errorf("%q has %+v", path, p)
			}
		}
	})
}
