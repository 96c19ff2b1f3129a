package inputs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/inputs/archive"
)

// Reader visits the traces in files, and in the archives among them.
type Reader struct {
	Options  archive.Options
	Stdin    io.Reader
	Progress *Progress
	Again    bool                                  // the files were read before; see [Progress.Again]
	Inner    string                                // if not "", only this entry of archives is visited; see [Trace.Inner]
	Most     int                                   // files on this machine that are open at a time, beside those being read; 0: all
	Visit    func(t *Trace) error                  // must close the trace, at once or later; an error ends the file
	Fail     func(f *File, name string, err error) // called for a file, or an entry of it, that cannot be read

	files *filePool
}

// pool returns the pool of the files, or nil.
func (r *Reader) pool() *filePool {
	if r.files == nil && r.Most > 0 {
		r.files = &filePool{most: r.Most}
	}
	return r.files
}

// Each visits the traces in the files, one after another. It returns the error of
// the context; all others are reported to Fail.
func (r *Reader) Each(ctx context.Context, files []*File) error {
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		opened, err := r.open(ctx, f)
		if err == nil {
			err = opened.because(r.walk(ctx, opened))
			r.Progress.Close()
			opened.release()
		}
		if err != nil && ctx.Err() == nil {
			r.Fail(f, f.Name, WithoutPath(f.Path, err))
		}
	}
	return ctx.Err()
}

// walk visits the traces in a file.
func (r *Reader) walk(ctx context.Context, opened *openFile) error {
	f, reported, from := opened.file, 0, int64(0)
	var others entries
	err := archive.Walk(ctx, opened.input(), r.Options, func(e *archive.Entry, err error) error {
		inner := e.Path[len(f.Name):]
		switch {
		case err != nil && matters(e, inner, err):
			reported++
			r.Fail(f, e.Path, WithoutPath(f.Path, opened.because(err)))
		case err == nil && r.Inner != "" && inner != "" && inner != r.Inner:
			reported++
		case err == nil && (inner == "" || isTrace(e)):
			reported++
			if err := foreignError(e.Name, e.Head); err != nil {
				r.Fail(f, e.Path, WithoutPath(f.Path, cmp.Or(e.HeadErr, err)))
				break
			}
			opened.users.Add(1)
			begin := from
			defer func() { from = opened.last.Load() }()
			return r.Visit(&Trace{File: f, Inner: inner, Size: e.Size, Among: e.Among, entry: e, from: begin, at: opened})
		default:
			others.add(e.Name)
		}
		return nil
	})
	if err == nil && reported == 0 && !f.folder {
		r.Fail(f, f.Name, others.noTrace(f.Name))
	}
	return err
}

// entries are the entries of an archive that are no traces.
type entries struct {
	count int
	first []string
}

func (n *entries) add(name string) {
	if n.count++; n.count <= maxLeftOut {
		n.first = append(n.first, name)
	}
}

// noTrace returns the error for an archive that has only these entries.
func (n *entries) noTrace(archive string) error {
	list := "it is empty"
	switch {
	case n.count > len(n.first):
		list = fmt.Sprintf("it has %d files, such as %s", n.count, strings.Join(n.first, ", "))
	case n.count > 0:
		list = "it has " + strings.Join(n.first, ", ")
	}
	if strings.HasSuffix(strings.ToLower(archive), ".diagsession") {
		return fmt.Errorf("no trace in this .diagsession: %s; its tools recorded no events of Windows, and Visual Studio reads it", list)
	}
	return fmt.Errorf("no trace in this archive: %s", list)
}

// isTrace reports whether an entry of an archive is a trace, by its name or its first
// bytes.
func isTrace(e *archive.Entry) bool {
	return archive.TraceName(e.Name) || beginsLikeTrace(e.Head)
}

// matters reports whether an error may hide a trace. An entry that cannot be read as an
// archive does not matter unless its name is like that of a trace or an archive.
func matters(e *archive.Entry, inner string, err error) bool {
	var limit *archive.LimitError
	passed := errors.Is(err, errors.ErrUnsupported) || errors.As(err, &limit) && limit.Limit == archive.LimitDepth
	return !passed || inner == "" || archive.TraceName(e.Name) || IsArchiveName(e.Name)
}
