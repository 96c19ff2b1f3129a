package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// onlyParse is a variable of the environment that lets the program of these tests only parse its command
// line: the command, its flags and the number of its arguments.
const onlyParse = "ETL2PARQUET_TEST_ONLY_PARSE"

// TestPages runs what README.md and the pages below docs show, by the language of each fenced block:
//
//	console     commands after "$ ", whose further lines are indented, each with its output
//	sh          a script, which must succeed
//	bash        a script that cannot run here: the program must accept its command lines
//	sql         statements that query runs
//	json        a text that must be JSON
//	text        no code, or output without its command
//
// Blocks of other languages are not run here: TestGoFiles runs the program of docs/go.md, TestCookbook
// the Python of docs/cookbook.md, test_page.py of the package that of docs/python.md
// and docs/readers/data.md.
//
// Each page has a folder of its own with the traces that it names: sample.etl and copies of it such as
// boot.etl, and the real traces of ../shared. A line "..." stands for left out output. -update replaces
// the output of commands.
//
// The quick tests only check that the program accepts the command lines, also of console; so do those of a
// change for the pages whose commands take long.
func TestPages(t *testing.T) {
	tier := testenv.Running(t)
	if tier > testenv.TierQuick {
		duckdb := interop.NewDuckDB(t)
		t.Setenv(answers.Variable, duckdb)
		t.Setenv("PATH", os.Getenv("PATH")+string(os.PathListSeparator)+filepath.Dir(duckdb))
	}
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	below, err := filepath.Glob("../../docs/*/*.md")
	if err != nil || len(pages) < 20 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	total := map[string]int{}
	for _, name := range append(append(pages, below...), "../../README.md") {
		t.Run(strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(name), "../../"), ".md"), func(t *testing.T) {
			text := testenv.ReadFile(t, name)
			p := &page{name: filepath.Base(name), count: total}
			p.onlyParsed = tier == testenv.TierQuick || tier == testenv.TierChange && slices.Contains(longPages, p.name)
			p.run(t, string(text))
			if !*testenv.Update || p.onlyParsed {
				return
			}
			testenv.WriteFile(t, name, p.text)
		})
	}
	t.Logf("%d commands with their output, %d scripts, %d parsed command lines, %d SQL blocks, %d JSON texts",
		total["console"], total["sh"], total["bash"], total["sql"], total["json"])
}

// longPages have commands that take most of the time of all pages.
var longPages = []string{"busy-service.md", "cookbook.md", "hanging-request.md", "performance.md", "redact.md", "slow-start.md", "start.md"}

// page is a page and what was run of it.
type page struct {
	name  string
	text  string // with the output of today
	dir   string // where its commands run
	count map[string]int

	onlyParsed bool
}

var (
	pageBlock = regexp.MustCompile("(?m)^( *)```(.*)\n((?:.*\n)*?) *```$")
	namedEtl  = regexp.MustCompile(`\b[\w.]+\.etl\b`)
)

// run runs the blocks of a page in their order.
func (p *page) run(t *testing.T, text string) {
	if p.dir = t.TempDir(); !p.onlyParsed {
		p.copyTraces(t, text)
	}
	at := 0
	for _, m := range pageBlock.FindAllStringSubmatchIndex(text, -1) {
		indent, language, block := text[m[2]:m[3]], text[m[4]:m[5]], text[m[6]:m[7]]
		block = strings.TrimPrefix(strings.ReplaceAll("\n"+block, "\n"+indent, "\n"), "\n")
		line := 1 + strings.Count(text[:m[0]], "\n")
		got := p.runBlock(t, line, language, block)
		if got != block {
			t.Errorf("line %d: -page +output; -update replaces the output:\n%s", line, cmp.Diff(block, got))
		}
		p.text += text[at:m[6]]
		for line := range strings.Lines(got) {
			if strings.TrimSpace(line) != "" {
				p.text += indent
			}
			p.text += line
		}
		at = m[7]
	}
	p.text += text[at:]
}

// runBlock runs a block of a page, and returns it with the output of today.
func (p *page) runBlock(t *testing.T, line int, language, block string) string {
	switch {
	case p.onlyParsed && language == "console":
		p.parse(t, line, consoleCommands(block))
		return block
	case p.onlyParsed && language == "sh":
		p.parse(t, line, scriptCommands(block))
		return block
	case p.onlyParsed && language == "sql":
		return block
	}
	switch language {
	case "console":
		return p.console(t, block)
	case "sh":
		p.count["sh"]++
		cmd := p.shell("set -e\n" + block)
		var messages bytes.Buffer
		cmd.Stderr = &messages
		if err := cmd.Run(); err != nil {
			t.Errorf("line %d: %v\n%s%s", line, err, block, &messages)
		}
	case "bash":
		p.parse(t, line, scriptCommands(block))
	case "sql":
		p.sql(t, line, block)
	case "json":
		p.count["json"]++
		for d := json.NewDecoder(strings.NewReader(block)); d.More(); {
			if err := d.Decode(new(any)); err != nil {
				t.Fatalf("line %d: %v", line, err)
			}
		}
	case "python", "go", "toml", "yaml", "cmd", "powershell", "xml", "text":
	default:
		t.Errorf("line %d: a block of the language %q; TestPages has the list", line, language)
	}
	return block
}

// shell returns a command of the shell in the folder of the page. There, etl2parquet is the program of
// this test.
func (p *page) shell(script string) *exec.Cmd {
	cmd := exec.Command("sh", "-c", script)
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), "LC_ALL=C", "COLUMNS=80")
	if p.name == "cache.md" {
		cmd.Env = append(cmd.Env, cacheVariable+"="+filepath.Join(p.dir, "cache"))
	}
	return cmd
}

// console runs the commands of a block, and returns them, each with its output. Output that differs only
// in times stays as the page has it.
func (p *page) console(t *testing.T, block string) string {
	var text strings.Builder
	for _, c := range consoleCommands(block) {
		p.count["console"]++
		out, err := p.shell(strings.TrimPrefix(c.command, "$ ")).CombinedOutput()
		if failed := (*exec.ExitError)(nil); err != nil && !errors.As(err, &failed) {
			t.Fatalf("%s%v", c.command, err)
		}
		text.WriteString(c.command + todaysOutput(c.output, string(out)))
	}
	return text.String()
}

// scriptCommands returns the commands of a script, as those of a console: each line that begins with the
// name of the program begins one.
func scriptCommands(block string) []consoleCommand {
	return consoleCommands("$ " + strings.ReplaceAll(strings.TrimSuffix(block, "\n"), "\netl2parquet ", "\n$ etl2parquet ") + "\n")
}

// parse checks that the program accepts the command lines that begin with its name: in this process, or
// from the shell where a line needs one.
func (p *page) parse(t *testing.T, line int, commands []consoleCommand) {
	for _, c := range commands {
		command := strings.TrimPrefix(c.command, "$ ")
		if !strings.HasPrefix(command, "etl2parquet ") {
			continue
		}
		p.count["bash"]++
		if !strings.ContainsAny(command, "|<>$\\;&*?`#(={") {
			if err := parseOnly(shellWords(strings.TrimSpace(command))); err != nil {
				t.Errorf("line %d: %s%v", line, command, err)
			}
			continue
		}
		if p.onlyParsed {
			continue // the shell would run what is around the program
		}
		cmd := p.shell(command)
		cmd.Env = append(cmd.Env, onlyParse+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("line %d: %s%v: %s", line, command, err, out)
		}
	}
}

// sql lets query run the statements of a block over the sample, or over the trace that a first line such
// as "-- net.etl" names.
func (p *page) sql(t *testing.T, line int, block string) {
	if p.name == "duckdb.md" || p.name == "lakehouses.md" {
		return // the extension's TestPage runs the first; the second needs an extension of DuckDB
	}
	p.count["sql"]++
	trace := "sample.etl"
	if m := regexp.MustCompile(`^-- ([\w.]+\.etl)\n`).FindStringSubmatch(block); m != nil {
		trace = m[1]
	}
	cmd := exec.Command("etl2parquet", "query", trace, "--file", "-")
	cmd.Dir, cmd.Stdin = p.dir, strings.NewReader(block)
	var messages bytes.Buffer
	cmd.Stderr = &messages
	if err := cmd.Run(); err != nil {
		t.Errorf("line %d: %v\n%s%s", line, err, block, &messages)
	}
}

// copyTraces puts the traces that a page names into its folder.
func (p *page) copyTraces(t *testing.T, text string) {
	t.Helper()
	if err := os.CopyFS(filepath.Join(p.dir, "testdata"), os.DirFS("../../testdata")); err != nil {
		t.Fatal(err)
	}
	sample := testenv.ReadFile(t, sampleTrace)
	files := map[string][]byte{}
	for _, name := range []string{"sample", "boot", "trace", "app", "a", "b", "x", "x.kernel", "traces/boot", "traces/logon", "logs/boot", "logs/x_1"} {
		files[name+".etl"] = sample
	}
	_, err := os.Stat("../../../shared/traces")
	for _, block := range pageBlock.FindAllStringSubmatch(text, -1) {
		for _, name := range namedEtl.FindAllString(block[3], -1) {
			switch {
			case files[name] != nil || block[2] != "console" && block[2] != "sh" && block[2] != "sql":
			case err != nil:
				testenv.Shared(t, "traces/"+name) // which skips the test, or fails in CI
			default:
				if trace, err := os.ReadFile(filepath.Join("../../../shared/traces", name)); err == nil {
					files[name] = trace
				} else if !errors.Is(err, fs.ErrNotExist) { // else the page names a file that is not a trace of ../shared
					t.Fatal(err)
				}
			}
		}
	}
	for name, contents := range files {
		path := filepath.Join(p.dir, filepath.FromSlash(name))
		testenv.WriteFile(t, path, contents)
	}
}

// consoleCommand is a command of a page, with "$ " before it, and the output below it.
type consoleCommand struct{ command, output string }

func consoleCommands(block string) (list []consoleCommand) {
	inCommand := false
	for line := range strings.Lines(block) {
		switch {
		case strings.HasPrefix(line, "$ "):
			list, inCommand = append(list, consoleCommand{command: line}), true
		case inCommand && strings.HasPrefix(line, "  "):
			list[len(list)-1].command += line
		case len(list) > 0:
			list[len(list)-1].output += line
			inCommand = false
		}
	}
	return list
}

// todaysOutput returns the output of a command as a page shows it: with the lines that the page leaves
// out left out, and with the times and sizes of the page, which differ from run to run and with the
// version of the program.
func todaysOutput(onPage, output string) string {
	var kept strings.Builder
	rest := output
	parts := strings.Split("\n"+onPage, "\n...\n")
	for i, part := range parts {
		part = strings.TrimPrefix(part, "\n")
		at, size := findPart(rest, part)
		switch {
		case at < 0 || i == 0 && at > 0:
			return output
		case i > 0:
			kept.WriteString("...\n")
		}
		kept.WriteString(part)
		if i < len(parts)-1 && part != "" {
			kept.WriteString("\n")
		}
		rest = rest[at+size:]
		if i == len(parts)-1 && (part != "" || i == 0) && strings.TrimSpace(rest) != "" {
			return output
		}
	}
	return kept.String()
}

// findPart returns where lines of a page are in an output, and how long they are there, or -1.
func findPart(output, part string) (at, size int) {
	want := varying.ReplaceAllString(strings.TrimSuffix(part, "\n"), "#")
	if want == "" {
		return 0, 0
	}
	lines := strings.SplitAfter(output, "\n")
	n := 1 + strings.Count(want, "\n")
	for i := range lines {
		if i+n > len(lines) {
			break
		}
		found := strings.Join(lines[i:i+n], "")
		if varying.ReplaceAllString(strings.TrimSuffix(found, "\n"), "#") == want {
			return at, len(found)
		}
		at += len(lines[i])
	}
	return -1, 0
}

// varying matches what differs between runs: the time that something took, and the bytes of files, which
// have the version of the program.
var varying = regexp.MustCompile(` *\d[\d.]* (?:[nµm]?s\b|k events/s|M events/s|events/s|KiB|MiB)`)

// parseOnly replaces what every command does: its flags and the number of its arguments are checked.
func parseOnly(line []string) error {
	a := newApp(strings.NewReader(""), io.Discard, os.Stderr)
	a.program, a.args = line[0], line[1:]
	root := a.rootCommand()
	var replace func(cmd *cobra.Command)
	replace = func(cmd *cobra.Command) {
		if cmd.HasParent() && cmd.RunE != nil {
			cmd.RunE = func(*cobra.Command, []string) error { return nil }
		}
		for _, child := range cmd.Commands() {
			replace(child)
		}
	}
	replace(root)
	root.SetArgs(a.args)
	root.SetOut(io.Discard)
	return root.Execute()
}
