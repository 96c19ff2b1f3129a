package answers

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
	"github.com/etl2parquet/etl2parquet/internal/lake/store"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestForShell gives DuckDB's shell made-up statements that its parser takes for one SELECT each: the
// shell must not take a part of one for a command.
func TestForShell(t *testing.T) {
	testenv.Slow(t, "10,000 statements")
	t.Setenv(Variable, interop.NewDuckDB(t))
	duckdb, err := Find(nil)
	if err != nil {
		t.Fatal(err)
	}
	pieces := []string{"'", "'", "''", `\'`, `\\`, `\`, "E'", " e'", "1E'", "xE'", "$$", "$a$", "x$a$", "$1", `"`, `""`, "`", "[", "]", "/*", "*/", "/*/", "--", "--\r", "\n", "\r",
		";", ";\n.print INJECTED\n", "\n.print INJECTED\n", " ", "U&'", "x'", "b'", "1", "a", ",", "||", "SELECT 2", "(", ")", "\v", "\f", "\u00a0", "\u2009", "\u3000", "\ufeff", "é", "\\g", "\x1a"}
	random := rand.New(rand.NewPCG(1, 2))
	var texts []string
	var parse strings.Builder
	for range 10_000 {
		var b strings.Builder
		b.WriteString("SELECT ")
		for range 1 + random.IntN(9) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		text := plainSpaces(b.String())
		texts = append(texts, text)
		fmt.Fprintf(&parse, "SELECT json_serialize_sql(%s);\n", sqlText(text))
	}
	var answers bytes.Buffer
	if said, err := duckdb.run(t.Context(), parse.String(), &answers, "-noheader", "-list"); err != nil {
		t.Fatal(said, err)
	}
	var script strings.Builder
	var selects []string
	for i, answer := range strings.Split(strings.TrimSuffix(answers.String(), "\n"), "\n") {
		s := Statement{SQL: oneStatement(texts[i])}
		if s.parse(views.BuiltIn(), answer); s.IsSelect && dollarName(texts[i]) == "" {
			fmt.Fprintf(&script, ".print AT %d\nCOPY (\n%s\n) TO '/dev/null' (FORMAT csv);\n", len(selects), s.SQL)
			selects = append(selects, s.SQL)
		}
	}
	cmd := exec.Command(duckdb.program, "-init", os.DevNull, "-batch")
	cmd.Stdin = strings.NewReader(forShell(script.String()))
	out, _ := cmd.Output()
	at, last, seen := -1, -1, 0
	for line := range strings.Lines(string(out)) {
		if _, err := fmt.Sscanf(line, "AT %d", &at); err == nil {
			if at != last+1 {
				t.Errorf("the shell does not end %q", selects[last])
			}
			last = at
			seen++
		} else if strings.HasPrefix(line, "INJECTED") {
			t.Errorf("the shell splits %q", selects[at])
		}
	}
	if seen != len(selects) || seen < 100 {
		t.Errorf("%d of %d statements ran", seen, len(selects))
	}
	t.Log(len(texts), len(selects))
}

// TestLock checks that the SQL of lock locks DuckDB and its shell, without a message.
func TestLock(t *testing.T) {
	testenv.Slow(t, "three processes of DuckDB")
	t.Setenv(Variable, interop.NewDuckDB(t))
	duckdb, err := Find(nil)
	if err == nil {
		_, err = duckdb.Statements(t.Context(), "SELECT 1")
	}
	if err != nil {
		t.Fatal(err)
	}
	of := &Source{pieces: []views.Piece{{Dataset: dataset.New(store.NewFolder(t.TempDir()))}}}
	s := &session{Source: of, o: &Options{Temp: t.TempDir()}}
	var out bytes.Buffer
	said, err := duckdb.run(t.Context(), s.lock(duckdb.isOld)+"SELECT current_setting('lock_configuration'), current_setting('enable_external_access');\n", &out, "-noheader", "-list")
	if err != nil || said != "" || strings.TrimSpace(out.String()) != "true|false" {
		t.Errorf("%q, %q, %v", &out, said, err)
	}
	if said, _ = duckdb.run(t.Context(), s.lock(duckdb.isOld)+".shell echo hello\n", &out); !strings.Contains(said, "safe mode") && !strings.Contains(said, "-safe") {
		t.Errorf("a command ran: %q", said)
	}
}
