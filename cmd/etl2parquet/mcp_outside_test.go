package main

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/catalogtest"
)

// serveMCP runs the command mcp in this process and connects a client with it.
func serveMCP(t *testing.T, args ...string) *agentSession {
	t.Helper()
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	stderr, status := new(strings.Builder), make(chan int, 1)
	go func() {
		status <- run(context.WithoutCancel(t.Context()), append([]string{"mcp"}, args...), fromClient, toClient, stderr)
		toClient.Close() // never fails
	}()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil || <-status != exitDone || stderr.Len() > 0 {
			t.Errorf("the server ends with %v, %s", err, stderr)
		}
	})
	return &agentSession{ClientSession: session, stderr: stderr}
}

// outsidePlace is a folder with a trace, and beside it one with everything that a link could lead to. All of the
// latter has "hidden" in its name or its texts.
type outsidePlace struct{ root, outside string }

func newOutsidePlace(t *testing.T, withDataset bool) *outsidePlace {
	t.Helper()
	above, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &outsidePlace{filepath.Join(above, "root"), filepath.Join(above, "outside")}
	read := func(path string) string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	sample := read(sampleTrace)
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	w, err := z.Create("../outside/hidden.etl")
	if _, wrong := io.WriteString(w, sample); errors.Join(err, wrong, z.Close()) != nil {
		t.Fatal(err, wrong)
	}
	catalogtest.WriteFiles(t, above, map[string]string{
		"root/sample.etl": sample, "root/sub/a.etl": sample, "root/climbs.zip": archive.String(),
		"outside/hidden.etl": sample, "outside/hidden.zip": archive.String(),
		"outside/hidden.tmf": strings.ReplaceAll(read("../../testdata/sample.tmf"), "failed", "hidden"),
		"outside/hidden.mof": strings.ReplaceAll(read("../../testdata/sample.mof"), " Number;", " Hidden;"),
		"outside/hidden.man": processManifest,
	})
	if !withDataset {
		return p
	}
	if status := run(t.Context(), []string{"convert", "--quiet", sampleTrace, "-o", filepath.Join(p.outside, "hiddenset")}, nil, t.Output(), t.Output()); status != exitDone {
		t.Fatalf("exit status %d", status)
	}
	return p
}

// processManifest describes an event of sample.etl as the catalogue does, but for a name.
const processManifest = `<instrumentationManifest><provider name="P" guid="{22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716}"><events><event value="1" version="0" template="t"/></events>
<templates><template tid="t"><data name="Hidden" inType="win:UInt32"/><data name="CreateTime" inType="win:FILETIME"/><data name="ParentProcessID" inType="win:UInt32"/>
<data name="SessionID" inType="win:UInt32"/><data name="ImageName" inType="win:UnicodeString"/></template></templates></provider></instrumentationManifest>`

// TestMCPOutside lets what lies below a root, or beside an input of the server, lead out of it in every way.
// The same as an ordinary file or folder is read.
func TestMCPOutside(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("making links needs a right there")
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	const (
		events  = " 449\n"
		refusal = "out of the folders that may be read"
	)
	info, tables := func(in string) (string, arguments) { return "info", arguments{"input": in} }, func(in string) (string, arguments) { return "describe", arguments{"input": in} }
	find := func(text string) func(string) (string, arguments) {
		return func(in string) (string, arguments) { return "find", arguments{"input": in, "text": text} }
	}
	for _, test := range []struct {
		name     string
		from, to string // the link below the root, and where it leads below the folder outside
		input    string // of the call; "" are those of the server
		call     func(input string) (tool string, args arguments)
		inside   string // in the answer if from is an ordinary file or folder
		outside  string // in the answer if it is a link
	}{
		{"file", "out.etl", "hidden.etl", "out.etl", info, events, "outside of what this server may read"},
		{"absolute", "out.etl", "/hidden.etl", "out.etl", info, events, "outside of what this server may read"},
		{"folder", "out", "", "out", info, "2 traces, 898 events", "outside of what this server may read"},
		{"file below a folder", "out", "", "out/hidden.etl", info, " 449\n", "outside of what this server may read"},
		{"file in a folder", "sub/out.etl", "hidden.etl", "sub", info, "out.etl", refusal},
		{"pattern below a folder", "out", "", "out/*.etl", info, events, refusal},
		{"pattern of folders", "out", "", "*t/*.etl", info, "events  449", "no file matches"},
		{"pattern of files", "out.etl", "hidden.etl", "o*.etl", info, events, refusal},
		{"alternatives", "out", "", "{sub,out}/*.etl", info, "out/hidden.etl", refusal},
		{"archive", "out.zip", "hidden.zip", "out.zip", info, events, "outside of what this server may read"},
		{"name in an archive", "unused", "hidden.etl", "climbs.zip", find("of item"), "0 rows", "0 rows"},
		{"dataset", "set", "hiddenset", "set", tables, "449 events", "outside of what this server may read"},
		{"file of a dataset", "set/_traces/sample.json", "hiddenset/_traces/sample.json", "set", tables, "449 events", refusal},
		{"folder of a dataset", "set/events", "hiddenset/events", "set", tables, "449 events", refusal},
		{"TMF", "sample.tmf", "hidden.tmf", "sample.etl", find("hidden"), "10 rows", refusal},
		{"MOF", "sample.mof", "hidden.mof", "sample.etl", find("hidden"), `{"hidden":0`, refusal},
		{"manifest", "sample.man", "hidden.man", "sample.etl", find("hidden"), `"hidden":9120`, refusal},
		{"beside an input", "sample.tmf", "hidden.tmf", "", find("hidden"), "10 rows", refusal},
		{"in an input", "sub/out.etl", "hidden.etl", "", info, "out.etl", refusal},
	} {
		for _, isLink := range []bool{false, true} {
			p := newOutsidePlace(t, strings.HasPrefix(test.from, "set"))
			from, to := filepath.Join(p.root, test.from), filepath.Join(p.outside, test.to)
			err := os.MkdirAll(filepath.Dir(from), 0o777)
			if base, _, isIn := strings.Cut(test.from, "/"); isIn && base == "set" { // the rest of the dataset is ordinary
				err = errors.Join(os.CopyFS(filepath.Join(p.root, base), os.DirFS(filepath.Join(p.outside, "hiddenset"))), os.RemoveAll(from))
			}
			stat, wrong := os.Stat(to)
			if err = errors.Join(err, wrong); err != nil {
				t.Fatal(err)
			}
			switch {
			case isLink && strings.HasPrefix(test.to, "/"):
				err = os.Symlink(to, from)
			case isLink:
				if to, err = filepath.Rel(filepath.Dir(from), to); err == nil {
					err = os.Symlink(to, from)
				}
			case stat.IsDir():
				err = os.CopyFS(from, os.DirFS(to))
			default:
				err = os.Link(to, from)
			}
			if err != nil {
				t.Fatal(err)
			}
			args := []string{"--root", p.root, "--no-cache"}
			want := test.inside
			if isLink {
				want = test.outside
			}
			switch test.name {
			case "beside an input":
				args = []string{filepath.Join(p.root, "sample.etl"), "--no-cache"}
			case "in an input":
				args = []string{filepath.Join(p.root, "sub"), "--no-cache"}
			}
			tool, call := test.call(test.input)
			text, _ := serveMCP(t, args...).call(t, tool, call)
			shown := strings.ReplaceAll(strings.ReplaceAll(text, test.input, ""), `"text":"hidden"`, "")
			if !strings.Contains(text, want) || isLink && test.name != "name in an archive" && (strings.Contains(strings.ToLower(shown), "hidden") || strings.Contains(shown, p.outside)) {
				t.Errorf("%s, a link %v: no %q, or a name from outside, in\n%s", test.name, isLink, want, text)
			}
		}
	}
}
