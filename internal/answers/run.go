package answers

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/formats"
)

// Options control how statements run.
type Options struct {
	Format  *formats.Format    // of Formats
	Table   texts.TableOptions // the form of tables
	Temp    string             // a folder for the results, and for DuckDB's temporary files
	Threads int
	// Shell, unless nil, makes Run open a shell; the only statement must be that of [ShellStatement].
	Shell *Shell
	// Parameters are the values that the statements use: see [Bind].
	Parameters []Parameter
	// Locked makes Run refuse all statements but SELECTs, with [ErrLocked], and makes DuckDB refuse to read
	// anything but the dataset: see [CheckLocked].
	Locked bool
	Out    io.Writer // for the results
	Notes  io.Writer // for the output of other statements, unless the format is Table
	// Each, unless nil, is called with the number of each statement that has a result, and the result as lines
	// of JSON, in place of writing it to Out. The format must be NDJSON.
	Each func(statement int, lines io.Reader) error
	// Most is the number of rows that a result has at most; 0: no limit. Count, unless nil, is called before
	// Each with the number of rows that the statement has without the limit. It needs Each.
	Most  int
	Count func(statement int, rows int64)
	// Explain is called with the reason why a result has no rows, or why the tables that it is made
	// from have none. It may be nil.
	Explain func(text string)
}

// missingError is DuckDB's error about a table that does not exist.
type missingError struct{ text, table string }

func (e *missingError) Error() string { return e.text }

// StatementError is DuckDB's error in a statement. The results of those before it are written.
type StatementError struct {
	Statement int // its number
	Err       error
}

// Error returns DuckDB's message.
func (e *StatementError) Error() string { return e.Err.Error() }

// Unwrap returns the error.
func (e *StatementError) Unwrap() error { return e.Err }

// session is one run of DuckDB.
type session struct {
	*Source
	o      *Options
	marker string        // begins the lines that report a complete result; random, so that SQL cannot print it
	few    map[int]int64 // results with less than manyRows rows, by number of the statement
	done   map[int]bool  // the statements that have ended, and whose results are written
}

// Run runs the statements and writes their results, each as soon as it is complete.
func (d *DuckDB) Run(ctx context.Context, source *Source, options *Options) error {
	defer d.clock()()
	source.set = d.views
	copied := *options
	o := &copied
	o.Temp = absolute(o.Temp) // DuckDB compares names of files with it
	if o.Locked && o.Shell == nil {
		if err := CheckLocked(source.Statements); err != nil {
			return err
		}
	}
	if o.Locked {
		if err := d.checkLockedViews(source); err != nil {
			return err
		}
	}
	views, err := source.viewScript(ctx)
	if err != nil {
		return err
	}
	s := &session{source, o, "etl2parquet " + rand.Text() + " ", make(map[int]int64), make(map[int]bool)}
	if o.Shell != nil {
		return s.shell(ctx, d, views)
	}
	if err = s.run(ctx, d, views); err == nil {
		err = s.explain(ctx, d)
	}
	if missing := new(missingError); errors.As(err, &missing) {
		hint, err := s.sharedFields(ctx, d, missing.table)
		if err != nil {
			return err
		}
		return fmt.Errorf("no table is called %q; %s", missing.table, cmp.Or(hint, source.suggestion(ctx, missing.table)))
	}
	return err
}

func (s *session) run(ctx context.Context, d *DuckDB, views string) error {
	p, err := d.take(ctx)
	if err != nil {
		return err
	}
	var failed error
	message, err := p.run(s.script(d, views), func() error {
		failed = s.results(p)
		return failed
	})
	for _, text := range p.warned {
		if _, wrong := fmt.Fprintf(s.o.Notes, "DuckDB warns: %s\n", s.mend(text)); wrong != nil {
			return wrong
		}
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case failed != nil:
		return failed
	case err != nil:
		if err = s.errorOf(message, err); message == "" {
			return err
		}
		return &StatementError{s.first(), err}
	}
	if message != "" {
		if _, err = fmt.Fprintln(s.o.Notes, texts.Message(s.mend(message))); err != nil {
			return err
		}
	}
	for i := range s.Statements {
		if !s.done[i] {
			return fmt.Errorf("DuckDB ended before the end of statement %d", i+1)
		}
	}
	return nil
}

// script returns the script for DuckDB. It writes each result to a file, because DuckDB's shell has
// no exact form for all values, and then a line to standard output.
func (s *session) script(d *DuckDB, views string) string {
	var b strings.Builder
	b.WriteString(s.head(d))
	b.WriteString(views)
	b.WriteString(setParameters(s.o.Parameters))
	if s.o.Locked {
		b.WriteString(s.lock(d.isOld))
	}
	for i := range s.Statements {
		st := &s.Statements[i]
		if !st.IsSelect {
			fmt.Fprintf(&b, "%s\n;\n.print %s%d\n", st.SQL, s.marker, i)
			continue
		}
		if forms[s.o.Format].needsTypes {
			fmt.Fprintf(&b, "COPY (SELECT column_name, column_type FROM (DESCRIBE FROM (\n%s\n))) TO %s (FORMAT json);\n", st.SQL, sqlText(s.types(i)))
		}
		begin, end := "(", ")"
		if st.describes() || s.o.Most > 0 {
			begin, end = "(FROM (", ")"+s.limit()+")"
		}
		if s.o.Count != nil {
			fmt.Fprintf(&b, "COPY (SELECT count(*) AS rows FROM (\n%s\n)) TO %s (FORMAT json);\n", st.SQL, sqlText(s.count(i)))
		}
		fmt.Fprintf(&b, "COPY %s\n%s\n%s TO %s (%s);\n.print %s%d\n", begin, st.SQL, end, sqlText(s.result(i)), forms[s.o.Format].copy, s.marker, i)
	}
	return b.String()
}

// head returns the settings before the views.
func (s *session) head(d *DuckDB) string {
	memory := ""
	if d.bound.blocks > 0 {
		memory = fmt.Sprintf("SET memory_limit = '%dKiB';\n", max(d.bound.blocks>>10, 1))
	}
	return fmt.Sprintf("SET TimeZone = 'UTC';\nSET temp_directory = %s;\nSET threads = %d;\n%sSET VARIABLE dataset = %s;\n.maxrows 1000000000\n",
		sqlText(s.o.Temp), s.o.Threads, memory, sqlText(s.roots()[0]))
}

// describes reports whether the statement, such as DESCRIBE, can only run as a subquery.
func (s *Statement) describes() bool {
	first := words(withoutComments(s.SQL))
	if len(first) == 0 {
		return false
	}
	switch strings.ToUpper(first[0]) {
	case "DESCRIBE", "DESC", "SHOW", "SUMMARIZE":
		return true
	}
	return false
}

// limit returns the clause that limits a result.
func (s *session) limit() string {
	if s.o.Most == 0 {
		return ""
	}
	return fmt.Sprintf(" LIMIT %d", s.o.Most)
}

func (s *session) count(i int) string { return filepath.Join(s.o.Temp, fmt.Sprintf("count_%d", i)) }

func (s *session) result(i int) string { return filepath.Join(s.o.Temp, fmt.Sprintf("result_%d", i)) }

func (s *session) types(i int) string { return filepath.Join(s.o.Temp, fmt.Sprintf("types_%d", i)) }

// results writes each result when DuckDB reports that it is complete. All other lines are the output
// of statements other than SELECT.
func (s *session) results(p *process) error {
	for {
		line, err := p.line()
		// What is printed before may have no line break at its end.
		printed, number, isResult := strings.Cut(line, s.marker)
		if printed != "" {
			if _, wrong := s.o.aside().Write(texts.AppendSafe(nil, []byte(printed))); wrong != nil {
				return wrong
			}
		}
		if isResult {
			i, wrong := strconv.Atoi(strings.TrimSpace(number))
			if wrong != nil {
				return wrong
			}
			if s.Statements[i].IsSelect {
				if wrong := s.write(i); wrong != nil {
					return wrong
				}
			}
			s.done[i] = true
		}
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
	}
}

// write writes a result, and removes its file.
func (s *session) write(i int) error {
	f, err := os.Open(s.result(i))
	if err != nil {
		return err
	}
	var columns []column
	if forms[s.o.Format].needsTypes {
		columns, err = readColumns(s.types(i))
	}
	if err == nil {
		n := int64(0)
		if n, err = fewRows(s.o.Format, f); n < manyRows {
			s.few[i] = n
		}
	}
	if err == nil && s.o.Count != nil {
		err = readFile(s.count(i), func(r io.Reader) error {
			var all struct{ Rows int64 }
			if err := json.NewDecoder(r).Decode(&all); err != nil {
				return fmt.Errorf("read the number of rows: %w", err)
			}
			s.o.Count(i, all.Rows)
			return nil
		})
	}
	switch {
	case err != nil:
	case s.o.Each != nil:
		err = s.o.Each(i, f)
	default:
		err = forms[s.o.Format].write(s.o, f, columns)
	}
	return errors.Join(err, f.Close(), os.Remove(s.result(i)))
}

var (
	missingTable = texts.Pattern(`^Catalog Error: Table with name (.+) does not exist!`)
	errorLine    = texts.Pattern(`(?m)^LINE (\d+): `)
	// pgNames are suggestions of names from DuckDB's system catalog.
	pgNames = texts.Pattern(`(?m)^Did you mean "pg_[^"]*"\?\n?`)
)

// errorOf returns the error for DuckDB's message when it failed.
func (s *session) errorOf(message string, err error) error {
	switch limited := openFilesError(message); {
	case isMemory(err):
		return err
	case limited != nil:
		return limited
	case message == "":
		return fmt.Errorf("DuckDB failed: %w", err)
	}
	text := pgNames().ReplaceAllString(s.mend(message), "")
	if m := missingTable().FindStringSubmatch(text); m != nil {
		return &missingError{text, m[1]}
	}
	return errors.New(text + s.columnsFor(text))
}

// mend removes from DuckDB's message what does not come from the user: the folder of the dataset and
// the line before a SELECT. It also removes control characters.
func (s *session) mend(message string) string {
	hidden := []string{s.o.Temp}
	if s.traces != nil {
		hidden = append(s.roots(), s.o.Temp) // roots can be in the temporary folder
	}
	for _, folder := range hidden {
		message = strings.ReplaceAll(strings.ReplaceAll(message, folder, ""), filepath.ToSlash(folder), "")
	}
	message = errorLine().ReplaceAllStringFunc(message, func(line string) string {
		n, err := strconv.Atoi(strings.Trim(line, "LINE :"))
		if err != nil || n < 2 || !s.isAfterLine() {
			return line
		}
		return fmt.Sprintf("LINE %d: ", n-1)
	})
	return string(texts.AppendSafe(nil, []byte(message)))
}

// isAfterLine reports whether a line of ours stands before the statement that DuckDB's message is about, as before
// SELECTs.
func (s *session) isAfterLine() bool {
	i := s.first()
	return i == len(s.Statements) || s.Statements[i].IsSelect
}

// first returns the number of the first statement that is not done.
func (s *session) first() int {
	i := 0
	for s.done[i] {
		i++
	}
	return i
}
