package interop_test

import (
	"bytes"
	"flag"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

const questionsFolder = "../bench/questions"

// contextLimit bounds the bytes that an agent must read before it can write the statement of a
// question: see context.
const contextLimit = 18000

var updateQuestions = flag.Bool("update-questions", false, "rewrite the list of questions in bench/questions/README.md")

// question is a folder of bench/questions.
type question struct {
	Name, Title, Asker string
	Traces             string // a pattern in ../shared/traces
	File               string // of the statement
	SQL, Proof, Answer string
}

var (
	questionHead  = regexp.MustCompile(`^-- (.*\?)\n-- asked by an? (.*), of (.*)\n`)
	relationInSQL = regexp.MustCompile(`\b(?:FROM|JOIN)\s+([a-z_0-9]+)`)
)

func readQuestions(t *testing.T) (questions []*question) {
	t.Helper()
	files, err := filepath.Glob(questionsFolder + "/*/question.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		folder := filepath.Dir(file)
		read := func(name string) string {
			return string(testenv.ReadFile(t, filepath.Join(folder, name)))
		}
		text := read("question.sql")
		head := questionHead.FindStringSubmatch(text)
		if head == nil {
			t.Fatalf("%s does not begin with a question and who asks it", file)
		}
		questions = append(questions, &question{Name: filepath.Base(folder), Title: head[1], Asker: head[2], Traces: head[3], File: file,
			SQL: text[len(head[0]):], Proof: read("proof.sql"), Answer: read("answer.csv")})
	}
	if len(questions) < 30 {
		t.Fatalf("%d questions in %s, want at least 30", len(questions), questionsFolder)
	}
	return questions
}

// Relations returns the names of the views and tables that the statement reads, in order.
func (q *question) Relations() (names []string) {
	for _, m := range relationInSQL.FindAllStringSubmatch(q.SQL, -1) {
		if !slices.Contains(names, m[1]) {
			names = append(names, m[1])
		}
	}
	return names
}

// TestQuestions asks the questions of bench/questions with the program: each answer is known, and is
// also the result of a proof, which computes it without the views from the tables of the events. Each
// statement is one, and what an agent must read to write it is bounded.
func TestQuestions(t *testing.T) {
	testenv.All(t, "two runs of the program for each question")
	t.Setenv("ETL2PARQUET_DUCKDB", interop.FindDuckDB(t))
	program := builtProgram(t)
	for _, q := range readQuestions(t) {
		t.Run(q.Name, func(t *testing.T) {
			traces := testenv.SharedOr(t, "traces/"+q.Traces)
			if len(traces) == 0 {
				t.SkipNow()
			}
			if strings.Count(q.SQL, ";") != 1 || !strings.HasSuffix(q.SQL, ";\n") {
				t.Errorf("not one statement:\n%s", q.SQL)
			}
			ask := append(slices.Concat([]string{"query"}, traces), "--format", "csv", "--file")
			if diff := cmp.Diff(q.Answer, outputOf(t, program, append(ask, q.File)...)); diff != "" {
				t.Errorf("-known +answer:\n%s", diff)
			}
			if diff := cmp.Diff(q.Answer, outputOf(t, program, append(ask, filepath.Join(filepath.Dir(q.File), "proof.sql"))...)); diff != "" {
				t.Errorf("-known +proof:\n%s", diff)
			}
			n := q.context(t, program, traces)
			if n > contextLimit {
				t.Errorf("an agent must read %d bytes before it can ask, which is more than %d", n, contextLimit)
			}
			t.Logf("SCORE %d bytes of context for one statement of %d bytes", n, len(q.SQL))
		})
	}
}

// context returns the number of bytes that an agent must read before it can write the statement: the
// tables and views of the trace, or a line for each of several traces; and the columns of those that the
// statement reads.
func (q *question) context(t *testing.T, program string, traces []string) (n int) {
	t.Helper()
	if len(traces) > 1 {
		n = len(outputOf(t, program, slices.Concat([]string{"info"}, traces)...))
	} else {
		n = len(outputOf(t, program, "describe", traces[0]))
	}
	for _, name := range q.Relations() {
		n += len(outputOf(t, program, "describe", traces[0], name))
	}
	return n
}

func outputOf(t *testing.T, program string, args ...string) string {
	t.Helper()
	cmd := exec.Command(program, args...)
	var messages bytes.Buffer
	cmd.Stderr = &messages
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s", args, err, &messages)
	}
	return string(out)
}

// TestQuestionsPage checks the list of questions in bench/questions/README.md.
func TestQuestionsPage(t *testing.T) {
	const name = questionsFolder + "/README.md"
	page := testenv.ReadFile(t, name)
	const begin = "## The questions\n"
	before, _, found := strings.Cut(string(page), begin)
	if !found {
		t.Fatalf("%s has no heading %q", name, begin)
	}
	want := before + begin
	questions := readQuestions(t)
	var askers []string
	for _, q := range questions {
		if !slices.Contains(askers, q.Asker) {
			askers = append(askers, q.Asker)
		}
	}
	slices.Sort(askers)
	for _, asker := range askers {
		want += fmt.Sprintf("\n### Of a%s %s\n\n", strings.Repeat("n", strings.Count("aeiou", asker[:1])), asker)
		for _, q := range questions {
			if q.Asker == asker {
				want += fmt.Sprintf("- [%s](%s/question.sql)\n  `%s`, of %s\n", q.Title, q.Name, strings.Join(q.Relations(), "`, `"), strings.ReplaceAll(q.Traces, "*", `\*`))
			}
		}
	}
	if *updateQuestions {
		testenv.WriteFile(t, name, want)
		return
	}
	if diff := cmp.Diff(want, string(page)); diff != "" {
		t.Errorf("run go test ./interop -run QuestionsPage -update-questions; -want +got:\n%s", diff)
	}
}
