package dataset

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/base/ordered"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet"
	"github.com/etl2parquet/etl2parquet/internal/lake/store"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Finding is one result of a check: a failure, or harmless information.
type Finding struct {
	Severity facts.Severity `json:"severity"`
	Code     string         `json:"code"`
	File     string         `json:"file"` // from the root of the dataset
	Message  string         `json:"message"`
}

// CheckOptions are the options of [Dataset.Check].
type CheckOptions struct {
	Fast bool // read only the footers of files
}

// CheckResult counts what a check has read and found.
type CheckResult struct {
	Traces int64 `json:"traces"`
	Files  int64 `json:"files"` // that the records name
	Rows   int64 `json:"rows"`  // by the records
	Bytes  int64 `json:"bytes"` // by the records
	Events int64 `json:"events"`
	Errors int64 `json:"errors"` // findings that are failures
	Notes  int64 `json:"notes"`  // findings that are not
}

// Whole reports whether nothing is wrong.
func (r *CheckResult) Whole() bool { return r.Errors == 0 }

// checker is the state of a check.
type checker struct {
	*Dataset
	fast   bool
	parts  map[string]string // by trace
	result CheckResult
	report func(*Finding) error
}

// Check compares the dataset with its commit records. Each file must exist, with the
// recorded size, rows and (unless o.Fast is set) contents; the tables must have as many
// rows as there are events; and no other files may be in the tables. Check calls report
// for each finding: first findings about records, in order, then stray files. Memory use
// depends only on the number of files.
func (d *Dataset) Check(ctx context.Context, o CheckOptions, report func(*Finding) error) (*CheckResult, error) {
	c := &checker{Dataset: d, fast: o.Fast, parts: make(map[string]string), report: report}
	if err := d.Load(ctx); err != nil {
		return nil, err
	}
	committed, err := d.committed(ctx, func(name string, r *Record, err error) error { return c.record(ctx, name, r, err) })
	if err != nil {
		return nil, err
	}
	if err := c.views(ctx); err != nil {
		return nil, err
	}
	strays, err := d.strays(ctx, committed)
	if err != nil {
		return nil, err
	}
	for i := range strays {
		if err := c.stray(&strays[i]); err != nil {
			return nil, err
		}
	}
	return &c.result, nil
}

func (c *checker) found(severity facts.Severity, code, file, format string, args ...any) error {
	if severity == facts.SeverityError {
		c.result.Errors++
	} else {
		c.result.Notes++
	}
	return c.report(&Finding{severity, code, file, fmt.Sprintf(format, args...)})
}

// record checks a record and its files.
func (c *checker) record(ctx context.Context, name string, r *Record, err error) error {
	if err != nil {
		return c.found(facts.SeverityError, "record_damaged", name, "%v", err)
	}
	c.result.Traces += int64(len(r.Traces))
	for i := range r.Traces {
		c.result.Events += r.Traces[i].Events
	}
	if part := partOfRecord(name); r.Part != part {
		return c.found(facts.SeverityError, "record_damaged", name, "it is the record of %q", r.Part)
	}
	if fault := faultOf(r); fault != "" {
		return c.found(facts.SeverityError, "record_damaged", name, "%s", fault)
	}
	if err := c.traces(name, r); err != nil {
		return err
	}
	if err := c.files(ctx, r.Files); err != nil {
		return err
	}
	return c.rows(name, r)
}

// traces checks that no other record has a trace of this record.
func (c *checker) traces(name string, r *Record) error {
	for i := range r.Traces {
		trace := r.Traces[i].Trace
		if other := c.parts[trace]; other != "" {
			if err := c.found(facts.SeverityError, "trace_twice", name, "the trace %q is also in %s: its rows are there twice", trace, recordFile(other)); err != nil {
				return err
			}
		}
		c.parts[trace] = r.Part
	}
	return nil
}

// faultOf returns what is wrong with the list of files of a record.
func faultOf(r *Record) string {
	if !isBundle(r.Part) && (len(r.Traces) != 1 || r.Traces[0].Trace != r.Part) {
		return fmt.Sprintf("it has %d traces, and is called like a trace", len(r.Traces))
	}
	seen := make(map[string]bool)
	for i := range r.Files {
		f := &r.Files[i]
		switch {
		case !isPartFile(f.File) || partOfFile(f.File) != r.Part || path.Dir(f.File) != f.Table:
			return fmt.Sprintf("it names %q, which is not a file of the table %q and this part", f.File, f.Table)
		case seen[f.File]:
			return fmt.Sprintf("it names %s twice", f.File)
		case f.Rows < 0 || f.Bytes < 0:
			return fmt.Sprintf("it says that %s has %d rows and %d bytes", f.File, f.Rows, f.Bytes)
		case f.CRC32C == "":
			return "it has no checksum of " + f.File
		}
		seen[f.File] = true
	}
	return ""
}

// files checks the files of a record, several at a time.
func (c *checker) files(ctx context.Context, files []RecordFile) error {
	return ordered.Do(ctx, atOnce, len(files),
		func(piece *[]byte, i int) (*Finding, error) { return c.file(ctx, piece, &files[i]) },
		func(f *Finding) error {
			if f == nil {
				return nil
			}
			c.result.Errors++
			return c.report(f)
		})
}

// file checks a file. It returns nil if nothing is wrong.
func (c *checker) file(ctx context.Context, piece *[]byte, f *RecordFile) (*Finding, error) {
	wrong := func(code, format string, args ...any) (*Finding, error) {
		return &Finding{facts.SeverityError, code, f.File, fmt.Sprintf(format, args...)}, nil
	}
	content, err := c.store.Open(ctx, f.File)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return wrong("file_missing", "it is not there")
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return wrong("file_unreadable", "%v", err)
	}
	defer content.Close() // only read, so an error does not matter
	if size := content.Size(); size != f.Bytes {
		return wrong("size_differs", "it has %d bytes, and the record says %d", size, f.Bytes)
	}
	footer, err := parquet.ReadFooter(content, f.Bytes)
	if err == nil && footer.Rows != f.Rows {
		return wrong("rows_differ", "it has %d rows, and the record says %d", footer.Rows, f.Rows)
	}
	if err != nil && ctx.Err() == nil {
		return wrong("file_damaged", "%v", err)
	}
	if c.fast {
		return nil, ctx.Err()
	}
	sum := parquet.Checksum(0)
	err = store.EachPiece(ctx, content, f.Bytes, piece, func(piece []byte) { sum = sum.Add(piece) })
	switch has := sum.String(); {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return wrong("file_unreadable", "%v", err)
	case has != f.CRC32C:
		return wrong("contents_differ", "its contents have the checksum %s, and the record says %s", has, f.CRC32C)
	}
	return nil, nil
}

// rows checks that the tables of a part have as many rows as it has events.
func (c *checker) rows(name string, r *Record) error {
	var events, headers, payloads, traces int64
	for i := range r.Traces {
		events += r.Traces[i].Events
	}
	for i := range r.Files {
		f := &r.Files[i]
		c.result.Files++
		c.result.Rows += f.Rows
		c.result.Bytes += f.Bytes
		switch {
		case schema.IsHeaderTable(f.Table):
			headers += f.Rows
		case strings.HasPrefix(f.Table, schema.EventsFolder):
			payloads += f.Rows
		case f.Table == "traces":
			traces += f.Rows
		}
	}
	selects, want := r.Options.selects(), int64(len(r.Traces))
	for _, rule := range []struct {
		broken    bool
		what      string
		rows, has int64
	}{
		{headers > events || headers < events && !selects, "the tables of headers have %d rows, and there are %d events", headers, events},
		{payloads > events, "the tables of payloads have %d rows, and there are %d events", payloads, events},
		{traces > want || traces < want && !selects, "the table traces has %d rows, and there are %d traces", traces, want},
	} {
		if rule.broken {
			if err := c.found(facts.SeverityError, "rows_differ", name, rule.what, rule.rows, rule.has); err != nil {
				return err
			}
		}
	}
	return nil
}

// selects reports whether the options select only some of the rows.
func (o *RecordOptions) selects() bool {
	return !o.IsAll() || len(o.Tables)+len(o.Columns) > 0
}

// views checks that views.sql exists.
func (c *checker) views(ctx context.Context) error {
	if c.result.Traces == 0 {
		if c.result.Errors > 0 {
			return nil
		}
		return c.found(facts.SeverityError, "no_trace", RecordsFolder, "there is no commit record: it is not a dataset, or an empty one")
	}
	sizes, err := c.store.Sizes(ctx, ViewsFile)
	if err != nil || sizes[0] >= 0 {
		return err
	}
	return c.found(facts.SeverityInfo, "views_missing", ViewsFile, "it is not there; the next run of convert writes it")
}

// stray reports a file that is not part of the dataset. It is a failure if queries
// would read the file.
func (c *checker) stray(s *Stray) error {
	switch s.Kind {
	case TemporaryFile:
		return c.found(facts.SeverityInfo, "temporary_file", s.Name, "incomplete: a run was interrupted, or is still writing it; clean removes it if no run is writing it")
	case EmptyFolder:
		return c.found(facts.SeverityInfo, "empty_folder", s.Name, "empty; clean removes it")
	case UncommittedFile:
		return c.found(facts.SeverityError, "no_record", s.Name, "it belongs to no commit record: a run was interrupted, or is about to write that; clean removes it")
	}
	top, below, _ := strings.Cut(s.Name, "/")
	if path.Ext(below) == ".parquet" && (isTableFolder(top) || top+"/" == schema.EventsFolder) && path.Base(below)[0] != '.' {
		return c.found(facts.SeverityError, "unknown_file", s.Name, "not written by etl2parquet, but inside a table folder: queries will read it")
	}
	return c.found(facts.SeverityInfo, "unknown_file", s.Name, "not written by etl2parquet")
}
