package wine

import (
	"archive/zip"
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

const sampleTrace = "../../testdata/sample.etl"

// drive is Wine's drive of the root of Linux's file system.
const drive = "Z:"

// system runs the program on one system.
type system struct {
	name    string
	program []string
	env     []string
}

func (e *environment) systems() []*system {
	return []*system{{"linux", []string{e.linux}, os.Environ()}, {"windows", []string{e.wine, e.windows}, e.env}}
}

func (e *environment) onWindows() *system { return e.systems()[1] }

// command returns a command that runs the program in a folder.
func (s *system) command(dir string, args ...string) *exec.Cmd {
	args = append(append([]string{}, s.program[1:]...), args...)
	cmd := exec.Command(s.program[0], args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, s.env, time.Second
	return cmd
}

// outcome is the output and the exit status of a run.
type outcome struct {
	Stdout, Stderr string
	Status         int
}

func (s *system) run(t testing.TB, dir, stdin string, args ...string) outcome {
	t.Helper()
	cmd := s.command(dir, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) {
		t.Fatalf("%s: %q: %v", s.name, args, err)
	}
	return outcome{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// succeed runs the program, which must succeed.
func (s *system) succeed(t testing.TB, dir string, args ...string) outcome {
	t.Helper()
	o := s.run(t, dir, "", args...)
	if o.Status != 0 {
		t.Fatalf("%s: %q: exit status %d: %s%s", s.name, args, o.Status, o.Stdout, o.Stderr)
	}
	return o
}

// tree returns the files below a folder with their contents, and the folders, whose names
// end in a slash. It removes the drive from paths in records.
func tree(t testing.TB, root string) map[string]string {
	t.Helper()
	found := make(map[string]string)
	tree := os.DirFS(root)
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist): // it was removed meanwhile, or is missing
			return nil
		case err != nil:
			return err
		case entry.IsDir():
			found[name+"/"] = ""
			return nil
		}
		text, err := fs.ReadFile(tree, name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if path.Dir(name) == "_traces" {
			text = bytes.ReplaceAll(text, []byte(`"`+drive+`/`), []byte(`"/`))
		}
		found[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// differences lists the files that differ, and for texts the lines.
func differences(want, got map[string]string) string {
	var s strings.Builder
	for name, text := range want {
		other, ok := got[name]
		switch {
		case !ok:
			s.WriteString("- " + name + "\n")
		case other != text && path.Ext(name) == ".parquet":
			s.WriteString("! " + name + " has other bytes\n")
		case other != text:
			s.WriteString("! " + name + "\n" + cmp.Diff(text, other))
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			s.WriteString("+ " + name + "\n")
		}
	}
	return s.String()
}

// write writes files with times that every file system can store.
func write(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	then := time.Date(2024, 5, 31, 12, 0, 0, 0, time.UTC)
	for name, contents := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(os.WriteFile(path, []byte(contents), 0o666), os.Chtimes(path, then, then)); err != nil {
			t.Fatal(err)
		}
	}
}

func read(t testing.TB, path string) string {
	t.Helper()
	return string(testenv.ReadFile(t, path))
}

// zipped packs files, in this order.
func zipped(t testing.TB, contents string, names ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range names {
		entry, err := w.Create(name)
		if err == nil {
			_, err = entry.Write([]byte(contents))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// hostileNames are names that no file on Windows can have, or no two files.
var hostileNames = []string{"CON", "nul", "Com1.x", "LPT¹", "a:b", "a::$DATA", "dots...", "spaces  ", " x", `back\slash`, `q?*"<>|`, "Case", "cASE", "ä", "Ä", "\x01", "..", "."}

// namesTrace has events of providers with these names.
func namesTrace(t testing.TB, names ...string) string {
	t.Helper()
	trace := &etltest.Trace{BufferSize: 16 << 10}
	stream := trace.Stream()
	for i, name := range names {
		schema := etltest.Schema{Name: names[len(names)-1-i], Fields: []etltest.SchemaField{{Name: name, In: 7}}}
		traits := etltest.Traits{Name: name}
		event := etltest.Event{Kind: etltest.Event64, GUID: etltest.GUID{byte(1 + i)}, Time: int64(i), Payload: []byte{1, 2, 3, 4},
			Items: []etltest.Item{{Type: etltest.ItemSchema, Data: schema.Bytes()}, {Type: etltest.ItemTraits, Data: traits.Bytes()}}}
		if err := stream.Add(0, &event); err != nil {
			t.Fatal(err)
		}
	}
	stream.Flush()
	text, err := trace.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestSameBytes checks that the program makes the same datasets and prints the same text
// on both systems.
func TestSameBytes(t *testing.T) {
	e := newEnvironment(t)
	dir := t.TempDir()
	sample := read(t, sampleTrace)
	if !strings.Contains(sample, "\x1a") {
		t.Fatal("the sample has no byte 0x1A, which ends texts on Windows")
	}
	var providers []string // in one case each; see TestCase
	for _, name := range hostileNames {
		if !slices.ContainsFunc(providers, func(p string) bool { return strings.EqualFold(p, name) }) {
			providers = append(providers, name)
		}
	}
	long := strings.Repeat(strings.Repeat("n", 100)+"/", 4)
	files := map[string]string{"few/sample.etl": sample, "few/names.etl": namesTrace(t, providers...), "few/deep/" + long + "long.etl": sample, "few/b.zip": zipped(t, sample, "in/c.etl", "d.etl")}
	for _, path := range testenv.SharedFiles(t, "traces/*.etl") {
		files["traces/"+filepath.Base(path)] = read(t, path)
	}
	write(t, filepath.Join(dir, "in"), files)
	var archived []string
	for _, name := range hostileNames {
		archived = append(archived, name+".etl", name+"/x.etl")
	}
	for _, test := range []struct {
		name  string
		out   string
		stdin string
		args  []string
	}{
		{"real traces", "out", "", []string{"../../in/traces"}},
		{"made traces", "out", "", []string{"../../in/few"}},
		{"bundles", "out", "", []string{"../../in/few", "../../in/traces/CldFlt0.etl", "../../in/traces/CldFlt1.etl", "--bundle=100KiB"}},
		{"long output", long + "out", "", []string{"../../in/few/sample.etl"}},
		{"standard input", "out", sample, []string{"-"}},
		{"names in an archive", "out", zipped(t, sample, archived...), []string{"-", "--table", "event_header"}},
		{"list", "out", "../../in/few/sample.etl\r\n../../in/few/b.zip\r\n", []string{"--files-from", "-"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			args := append([]string{"convert", "-o", test.out, "--progress", "none"}, test.args...)
			trees, again := make(map[string]map[string]string), make(map[string][]outcome)
			for _, s := range e.systems() {
				dir := filepath.Join(dir, s.name, test.name)
				if err := os.MkdirAll(dir, 0o777); err != nil {
					t.Fatal(err)
				}
				if o := s.run(t, dir, test.stdin, args...); o.Status != 0 {
					t.Fatalf("%s: exit status %d: %s%s", s.name, o.Status, o.Stdout, o.Stderr)
				}
				trees[s.name] = tree(t, filepath.Join(dir, test.out))
				written := maps.Clone(trees[s.name])
				// The output names the dataset's folder, which differs between the systems.
				trees[s.name]["views.sql"] = strings.ReplaceAll(strings.ReplaceAll(written["views.sql"], drive, ""), filepath.ToSlash(dir), "DIR")
				for _, args := range [][]string{args, {"check", test.out}, {"clean", test.out}} {
					o := s.run(t, dir, test.stdin, args...)
					o.Stdout = strings.ReplaceAll(strings.ReplaceAll(o.Stdout, `\`, "/"), drive, "")
					o.Stdout = strings.ReplaceAll(o.Stdout, "/etl2parquet.exe query ", "/etl2parquet query ") // the next step
					o.Stderr = strings.ReplaceAll(strings.ReplaceAll(o.Stderr, `\`, "/"), drive, "")
					again[s.name] = append(again[s.name], o)
				}
				if diff := differences(written, tree(t, filepath.Join(dir, test.out))); diff != "" {
					t.Errorf("%s: converting, checking and cleaning again changes:\n%s", s.name, diff)
				}
			}
			if diff := differences(trees["linux"], trees["windows"]); diff != "" {
				t.Errorf("Windows (+) differs from Linux (-):\n%s", diff)
			}
			if diff := cmp.Diff(again["linux"], again["windows"]); diff != "" {
				t.Errorf("convert, check and clean again: Windows (+) differs from Linux (-):\n%s", diff)
			}
			if !strings.Contains(again["windows"][0].Stdout, "0 traces converted") {
				t.Errorf("converted again: %s", again["windows"][0].Stdout)
			}
			t.Logf("%d files and folders are the same", len(trees["linux"]))
		})
	}
	for _, args := range [][]string{{"info", "--json", "in/few/sample.etl"}, {"describe"}, {"describe", "--json"}} {
		var texts []string
		for _, s := range e.systems() {
			texts = append(texts, s.succeed(t, dir, args...).Stdout)
		}
		if texts[0] != texts[1] || strings.Contains(texts[1], "\r") {
			t.Errorf("%q prints other text on Windows (+) than on Linux (-):\n%s", args, cmp.Diff(texts[0], texts[1]))
		}
	}
}
