package agent

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/internal/base/reach"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
)

// Options control a server.
type Options struct {
	Version string
	Inputs  []string      // that calls read if they name none
	Roots   []string      // folders below which calls may name inputs, and write pages
	Time    time.Duration // the limit on a call
	Views   *views.Set    // nil: the program's
	// Open returns how the inputs of a call are read, which the call has to find. Only these files are opened because of
	// them, and warnings go to notes, as lines. end ends the call.
	Open  func(ctx context.Context, from *reach.Files, notes io.Writer) (t *answers.Traces, end func(), err error)
	Bound func(*answers.DuckDB) // bounds its memory
	Words func(error) string    // returns the message of an error
	// Mask replaces the names of people and machines in messages, which have the paths of inputs; nil keeps
	// them. What is read of traces has been masked by it.
	Mask func(text string) string
}

// program is the name of the program, which begins its warnings.
const program = "etl2parquet"

// server is a run of Serve.
type server struct {
	o     Options
	roots *roots
	turn  chan struct{} // holds a value while a call runs
}

// Serve answers an agent until it closes its side, or the context ends.
func Serve(ctx context.Context, in io.ReadCloser, out io.WriteCloser, o Options) (err error) {
	o.Views = cmp.Or(o.Views, views.BuiltIn())
	s := &server{o: o, turn: make(chan struct{}, 1)}
	if s.roots, err = openRoots(o.Inputs, o.Roots); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.roots.files.Close()) }()
	to := mcp.NewServer(&mcp.Implementation{Name: program, Version: o.Version}, &mcp.ServerOptions{
		Instructions: instructions,
		Capabilities: &mcp.ServerCapabilities{},
	})
	s.addTools(to)
	addResources(to, o.Views)
	return to.Run(ctx, &mcp.IOTransport{Reader: in, Writer: out})
}

// answer is the answer to a call.
type answer struct {
	text  string
	notes bytes.Buffer
	mask  func(text string) string // nil: none
}

// clean returns lines without control characters, and without names if they are replaced.
func (a *answer) clean(text string) string {
	if a.mask != nil {
		text = a.mask(text)
	}
	return string(texts.AppendSafe(nil, []byte(text)))
}

// call runs a call, one at a time, within the limit on its time, and returns the answer.
func (s *server) call(ctx context.Context, do func(ctx context.Context, a *answer) error) (string, error) {
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return "", ctx.Err()
	}
	limited, stop := context.WithTimeout(ctx, s.o.Time)
	defer stop()
	a := &answer{mask: s.o.Mask}
	err := do(limited, a)
	switch {
	case err == nil:
		return a.text + a.notesText(), nil
	case ctx.Err() != nil:
		return "", ctx.Err()
	case limited.Err() != nil:
		return "", fmt.Errorf("the call was stopped after %s, the limit of this server: ask for less, such as a range of time or one event", s.o.Time)
	}
	if errors.Is(err, errInputs) && a.notes.Len() > 0 {
		return "", errors.New(strings.TrimSpace(a.notesText()))
	}
	return "", errors.New(a.clean(texts.Message(err.Error())) + a.notesText())
}

// errInputs is the error of a call if none of the inputs can be read. The notes say why.
var errInputs = errors.New("no input can be read")

// rows makes rows the answer.
func (a *answer) rows(r *rows, all int64) { a.text = r.title(all) + "\n" + string(r.text) }

// mostNotes bounds the bytes of notes in an answer.
const mostNotes = 2 << 10

// notesText returns the notes as lines below an answer.
func (a *answer) notesText() string {
	notes := strings.TrimSpace(a.notes.String())
	if notes == "" {
		return ""
	}
	notes = strings.ReplaceAll("\n"+notes, "\n"+program+": ", "\n")
	return cutText(a.clean(notes), mostNotes)
}

var spaces = texts.Pattern(`  +`)

// page makes a page for a terminal the answer: with single spaces between columns, and with at most
// mostAnswer bytes.
func (a *answer) page(text string) {
	var lines []string
	for line := range strings.Lines(text) {
		indent := ""
		if strings.HasPrefix(line, " ") {
			indent = " "
		}
		lines = append(lines, indent+spaces().ReplaceAllString(strings.TrimSpace(line), "  "))
	}
	a.text = cutText(a.clean(strings.Join(lines, "\n")), mostAnswer) + "\n"
}

// cutText cuts a text behind a line, and says so.
func cutText(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	begin := text[:limit]
	if end := strings.LastIndexByte(begin, '\n'); end > 0 {
		begin = begin[:end]
	}
	return fmt.Sprintf("%s\n(cut at %s; %s more)", strings.ToValidUTF8(begin, ""), texts.RoundSize(int64(limit)), texts.Counted(int64(len(text)-len(begin)), "byte"))
}
