package wine

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/google/go-cmp/cmp"
)

// TestPatterns converts inputs given by patterns in Windows notation.
func TestPatterns(t *testing.T) {
	e := newEnvironment(t)
	dir := t.TempDir()
	sample := read(t, sampleTrace)
	write(t, dir, map[string]string{"Logs/Boot.ETL": sample, "Logs/shut.etl": sample, "Logs/x.txt": sample, "Logs/Sub/deep.etl": sample, "odd[1].etl": sample})
	folder := drive + strings.ReplaceAll(dir, "/", `\`)
	for _, test := range []struct {
		pattern string
		want    string // names, without ".etl"
	}{
		{folder + `\Logs\*.etl`, "Boot shut"},
		{folder + `\LOGS\B*.Etl`, "Boot"},
		{strings.ToLower(drive) + filepath.ToSlash(dir) + `/logs/*.etl`, "Boot shut"},
		{`\\?\` + folder + `\Logs\*.etl`, "Boot shut"},
		{dir + `\Logs\*.etl`, "Boot shut"},
		{drive + `Logs\*.etl`, "Boot shut"},
		{`logs\[A-C]oo?.etl`, "Boot"},
		{`LOGS\[^a-c]*.etl`, "shut"},
		{`l*\S*\*`, "deep"},
		{`.\Logs\..\logs\s?ut*`, "shut"},
		{`odd[1].etl`, "odd_1_"},
		{`odd[[]1].ETL`, "odd_1_"},
		{`Logs\y*.etl`, ""},
		{`Logs\[x`, ""},
	} {
		t.Run(test.pattern, func(t *testing.T) {
			o := e.onWindows().run(t, dir, "", "convert", test.pattern, "-o", "out", "--dry-run")
			var got []string
			for line := range strings.Lines(o.Stdout) {
				if words := strings.Fields(line); len(words) == 5 { // convert 48.0 KiB NAME FILE
					got = append(got, words[3])
				}
			}
			if names := strings.Join(got, " "); names != test.want || (o.Status == 0) != (test.want != "") {
				t.Errorf("%q, exit status %d; want %q\n%s%s", names, o.Status, test.want, o.Stdout, o.Stderr)
			}
		})
	}
}

// TestKills kills runs after they have made a number of files and folders. All files under
// final names are whole, clean removes the rest, and running again gives the dataset of an
// undisturbed run.
func TestKills(t *testing.T) {
	e := newEnvironment(t)
	windows := e.onWindows()
	dir := t.TempDir()
	sample := read(t, sampleTrace)
	write(t, filepath.Join(dir, "in"), map[string]string{"a.etl": sample, "b.etl": sample, "c.zip": zipped(t, sample, "d.etl", "e.etl")})
	args := func(out string) []string { return []string{"convert", "in", "-o", out, "--temp-dir", "temp"} }
	if err := os.Mkdir(filepath.Join(dir, "temp"), 0o777); err != nil {
		t.Fatal(err)
	}
	windows.succeed(t, dir, args("out")...)
	want := tree(t, filepath.Join(dir, "out"))
	delete(want, "views.sql") // contains the name of the folder
	phases := make(map[string]int)
	for _, files := range []int{1, 10, 50, 100, 150, len(want)} {
		out := fmt.Sprint("out-", files)
		root := filepath.Join(dir, out)
		cmd := windows.command(dir, args(out)...)
		var said bytes.Buffer
		cmd.Stdout, cmd.Stderr = &said, &said
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		for n := 0; n < files && len(ended) == 0; time.Sleep(time.Millisecond) {
			n = len(tree(t, root)) - 1
		}
		cmd.Process.Kill() // if it still runs
		if err := <-ended; err == nil {
			phases["had ended"]++
		} else {
			phases[left(t, root, want)]++
		}
		o := windows.run(t, dir, "", "clean", out)
		if o.Status != 0 && !strings.Contains(o.Stderr, "there is no dataset") { // yet
			t.Errorf("%d files: clean: %s", files, o.Stderr)
		}
		for name := range tree(t, root) {
			if o.Status == 0 && strings.HasPrefix(path.Base(name), ".") && name != "./" {
				t.Errorf("%d files: clean leaves %s: %s", files, name, o.Stdout)
			}
		}
		windows.succeed(t, dir, args(out)...)
		windows.succeed(t, dir, "check", out)
		got := tree(t, root)
		delete(got, "views.sql")
		if diff := differences(want, got); diff != "" {
			t.Errorf("%d files: undisturbed (-), killed and run again (+):\n%s", files, diff)
		}
	}
	if stray := tree(t, filepath.Join(dir, "temp")); len(stray) != 1 {
		t.Errorf("temporary files are left: %q", stray)
	}
	t.Logf("the kills left: %v", phases)
	if phases["had ended"] > 3 {
		t.Error("most runs had ended before they were killed")
	}
}

// left describes the leftovers of a killed run, and checks that files under final names are
// whole.
func left(t *testing.T, root string, want map[string]string) string {
	t.Helper()
	temporary, whole := 0, 0
	for name, text := range tree(t, root) {
		switch {
		case strings.HasPrefix(path.Base(name), "."):
			temporary++
		case name != "views.sql" && text != want[name]:
			t.Errorf("%s is half written: %d bytes", name, len(text))
		case !strings.HasSuffix(name, "/"):
			whole++
		}
	}
	switch {
	case whole > 0:
		return "whole files"
	case temporary > 1: // the root counts as one
		return "temporary files"
	}
	return "folders"
}

// TestTogether lets two runs write into one dataset at once.
func TestTogether(t *testing.T) {
	e := newEnvironment(t)
	dir := t.TempDir()
	sample := read(t, sampleTrace)
	write(t, dir, map[string]string{"a.etl": sample, "b.etl": sample, "c.etl": sample, "d.etl": sample})
	trees := make(map[string]map[string]string)
	for _, s := range e.systems() {
		outcomes := make([]outcome, 2)
		var g errgroup.Group
		for i, pattern := range []string{"[ab].etl", "[cd].etl"} {
			g.Go(func() error {
				cmd := s.command(dir, "convert", pattern, "-o", s.name)
				text, err := cmd.CombinedOutput()
				outcomes[i] = outcome{Stdout: string(text), Status: cmd.ProcessState.ExitCode()}
				return err
			})
		}
		if err := g.Wait(); err != nil {
			t.Errorf("%s: %v: %+v", s.name, err, outcomes)
		}
		s.succeed(t, dir, "check", s.name)
		trees[s.name] = tree(t, filepath.Join(dir, s.name))
		delete(trees[s.name], "views.sql") // contains the name of the folder
	}
	if diff := differences(trees["linux"], trees["windows"]); diff != "" {
		t.Errorf("Windows (+) differs from Linux (-):\n%s", diff)
	}
}

// TestCase converts providers whose names differ only in case. Windows puts them into one
// folder, in the case of the first name, and all files belong to the dataset.
func TestCase(t *testing.T) {
	windows := newEnvironment(t).onWindows()
	dir := t.TempDir()
	write(t, dir, map[string]string{"a.etl": namesTrace(t, "Case", "cASE", "Ärger"), "b.etl": namesTrace(t, "CASE", "x", "ärger")})
	for _, flag := range []string{"--workers=1", "--bundle=1MiB"} {
		out, _, _ := strings.Cut(flag[2:], "=")
		for _, force := range []string{"--force=false", "--force"} {
			windows.succeed(t, dir, "convert", "a.etl", "b.etl", "-o", out, flag, force)
			before := tree(t, filepath.Join(dir, out))
			windows.succeed(t, dir, "check", out)
			windows.succeed(t, dir, "clean", out)
			if diff := differences(before, tree(t, filepath.Join(dir, out))); diff != "" {
				t.Errorf("%s %s: clean removes files of the dataset:\n%s", flag, force, diff)
			}
		}
	}
}

// TestReservedNames uses names that are devices or invalid on Windows: they are rejected in
// one line and leave no files.
func TestReservedNames(t *testing.T) {
	windows := newEnvironment(t).onWindows()
	dir := t.TempDir()
	write(t, dir, map[string]string{"sample.etl": read(t, sampleTrace)})
	for _, args := range [][]string{
		{"convert", "sample.etl", "-o", "CON"},
		{"convert", "sample.etl", "-o", "nul"},
		{"convert", "sample.etl", "-o", "a:b"},
		{"convert", "sample.etl", "-o", "q?"},
		{"convert", "sample.etl", "-o", "x..."},
		{"convert", "sample.etl", "-o", "x "},
		{"convert", "NUL", "-o", "out"},
		{"convert", "con.etl", "-o", "out"},
		{"info", "COM1"},
	} {
		o := windows.run(t, dir, "", args...)
		line, rest, _ := strings.Cut(o.Stderr, "\n")
		if o.Status != 1 || !strings.HasPrefix(line, "etl2parquet: ") || rest != "" && !strings.HasPrefix(rest, "\n0 traces converted") {
			t.Errorf("%q: exit status %d, %q", args, o.Status, o.Stderr)
		}
	}
	// Windows removes a dot from the end of a name.
	windows.succeed(t, dir, "convert", "SAMPLE.ETL.", "-o", "Out.")
	windows.succeed(t, dir, "check", "oUT")
	if o := windows.succeed(t, dir, "convert", "sample.etl", "-o", "out"); !strings.Contains(o.Stdout, "1 skipped") {
		t.Errorf("the same file under another name is converted again: %s", o.Stdout)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	slices.Sort(names)
	if diff := cmp.Diff([]string{"Out", "sample.etl"}, names); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
