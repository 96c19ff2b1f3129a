package dataset

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/partname"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Record is the commit record of a part. The part's traces are in the dataset if and
// only if the record exists.
type Record struct {
	Format  int           `json:"format"` // of this record
	Tool    string        `json:"tool"`   // version that wrote it
	Part    string        `json:"part"`   // the name of the trace, or of the bundle
	Options RecordOptions `json:"options"`
	Traces  []TraceRecord `json:"traces"` // in the order of their rows
	Files   []RecordFile  `json:"files"`
}

// RecordOptions are the options that change the files.
type RecordOptions struct {
	Payload      string                `json:"payload"`
	Messages     string                `json:"messages,omitempty"`
	Compression  string                `json:"compression"`
	Unsigned     string                `json:"unsigned,omitempty"` // see UnsignedOption
	Fields       bool                  `json:"fields,omitempty"`
	Descriptions *catalog.Descriptions `json:"descriptions,omitempty"`
	MaxTables    int                   `json:"max_tables,omitempty"` // for events that schemas describe
	facts.Selection
	Tables  []string         `json:"tables,omitempty"`
	Columns []string         `json:"columns,omitempty"` // of these tables; empty means all
	Redact  string           `json:"redact,omitempty"`  // fingerprint of the key of pseudonyms; "" if names are kept
	Needs   []selection.Need `json:"needs,omitempty"`   // instead of tables and columns
}

// TraceRecord is the entry of a trace in a record.
type TraceRecord struct {
	Trace     string    `json:"trace"` // name in the dataset
	Input     string    `json:"input"`
	InputSize int64     `json:"input_size"`
	InputTime time.Time `json:"input_time,omitzero"` // last change of the input or of its archive
	// The hashes of the input. ChunksXXH3 is unset in a dataset that is removed after use; see
	// internal/base/fileid. SHA256 is the plain hash, set on request.
	ChunksXXH3 string `json:"chunks_xxh3,omitempty"`
	SHA256     string `json:"sha256,omitempty"`
	// ChunksSHA256 is the hash by chunks of records of earlier versions, which may have SHA256 alone.
	ChunksSHA256 string `json:"chunks_sha256,omitempty"`

	StartNS  int64             `json:"start_ns"`        // what seconds count from, in ns since 1970-01-01 UTC
	Clock    *index.ClockSteps `json:"clock,omitempty"` // nil if the clock was not set
	Events   int64             `json:"events"`          // in the input
	Rows     int64             `json:"rows"`            // in tables of events
	Decoding *DecodingRecord   `json:"decoding,omitempty"`
	// NothingSelected is set if the selection matches nothing in the trace.
	NothingSelected bool `json:"nothing_selected,omitempty"`

	Problems []facts.Problem `json:"problems"`
	Symbols  *symbols.Record `json:"symbols,omitempty"` // nil if none were requested
	// Describes are the providers and classes of events that the trace describes, Unknown those that no trace of
	// the run did, both cut to a bound, and DescribedBy are the other inputs that describe events of the trace.
	Describes   []string              `json:"describes,omitempty"`
	Unknown     []string              `json:"unknown,omitempty"`
	DescribedBy []catalog.Description `json:"described_by,omitempty"`

	Siblings []SiblingRecord `json:"siblings,omitempty"` // whose facts the trace has, in the order of their contents
	Place    *index.Place    `json:"place,omitempty"`    // among the other traces of the run; nil if it was alone
}

// SiblingRecord is the entry of a trace that was recorded together with another one.
type SiblingRecord struct {
	Name string `json:"name"` // of the file
	Size int64  `json:"size"` // -1 if unknown before the trace is read
	ID   string `json:"id"`   // hash of its head
}

// RecordFile is the entry of a file in a record.
type RecordFile struct {
	Table  string `json:"table"`
	File   string `json:"file"` // from the root of the dataset, with slashes
	Rows   int64  `json:"rows"`
	Bytes  int64  `json:"bytes"`
	CRC32C string `json:"crc32c"` // of its contents, eight hexadecimal digits
	// Columns are the types, by name, of the columns that not all tables of events have.
	// It is nil for tables that are the same in every trace.
	Columns map[string]string `json:"columns,omitempty"`
	// Omitted are the types, by name, of the columns of this kind that the selection has left out.
	Omitted map[string]string `json:"omitted,omitempty"`
	// Unsigned are the types, by name, of the columns among these that are unsigned 64-bit integers, or
	// have such, but are signed in the file.
	Unsigned map[string]string `json:"unsigned,omitempty"`
	// Made are the columns among these that do not come from the bytes of the payload; see
	// [schema.Table.MadeColumns].
	Made []string `json:"made,omitempty"`
	// Event is the table's event, whatever the table's name. It is nil for tables that are the
	// same in every trace.
	Event *schema.Identity `json:"event,omitempty"`
}

// Recorded is a trace together with the record of its part.
type Recorded struct {
	*Record
	*TraceRecord
}

// File returns the file of the record, relative to the dataset, with slashes.
func (r *Record) File() string { return recordFile(r.Part) }

// IsBundled reports whether the trace is in a bundle.
func (r *Recorded) IsBundled() bool { return isBundle(r.Part) }

// The formats of records. In the first, files were in folders trace=<name> and lacked the column
// trace; in the second, tables lacked the kind of their events, and records the event of a table;
// in the third, stacks had a row per event, and traces no siblings.
const (
	firstFormat  = 1
	recordFormat = 4
)

// errRecord means that a commit record is damaged.
var errRecord = errors.New("not a commit record of this version")

// ErrOldLayout means that an earlier version wrote the dataset, in a layout that is no
// longer supported.
var ErrOldLayout = errors.New("an earlier version wrote this dataset, in another layout: name a new folder, and convert the traces into that; nothing was changed")

// LaterError means that a later version wrote a record.
type LaterError struct{ Format int }

func (e *LaterError) Error() string {
	return fmt.Sprintf("a later version wrote its record, in format %d: convert it with that version, or into another folder", e.Format)
}

// Unwrap makes it an error for an unreadable record.
func (e *LaterError) Unwrap() error { return errRecord }

// MaxRecord bounds the size of a commit record; with 4,096 tables it has less than a
// MiB.
const MaxRecord = 64 << 20

// readRecord reads a commit record, or returns nil if there is none. A record of a later
// version is returned as far as it can be read, with a [LaterError].
func (d *Dataset) readRecord(ctx context.Context, name string) (*Record, error) {
	text, err := d.store.ReadFile(ctx, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	r := new(Record)
	err = json.Unmarshal(text, r)
	switch {
	case r.Format >= firstFormat && r.Format < recordFormat:
		return nil, ErrOldLayout
	case r.Format > recordFormat:
		return r, &LaterError{r.Format}
	case err != nil:
		return nil, fmt.Errorf("%w: %w", errRecord, err)
	case r.Format != recordFormat:
		return nil, fmt.Errorf("%w: its format is %d", errRecord, r.Format)
	}
	return r, nil
}

// Record returns the record of a trace, or nil if the trace is not in the dataset.
func (d *Dataset) Record(ctx context.Context, trace string) (*Recorded, error) {
	if err := d.Load(ctx); err != nil {
		return nil, err
	}
	if r, err := d.bundles.find(trace); r != nil || err != nil {
		return r, err
	}
	r, err := d.readRecord(ctx, recordFile(trace))
	var later *LaterError
	switch {
	case errors.As(err, &later):
		return nil, err
	case errors.Is(err, errRecord):
		return nil, nil // the trace is converted again
	case r == nil || len(r.Traces) != 1 || partname.Fold(r.Traces[0].Trace) != partname.Fold(trace):
		return nil, err // if the store ignores case, the record's name can differ in case
	}
	return &Recorded{r, &r.Traces[0]}, nil
}

// Whole reports whether the files of a trace exist, with their sizes.
func (d *Dataset) Whole(ctx context.Context, r *Recorded) (bool, error) {
	if r.IsBundled() {
		return d.wholeBundle(ctx, r.Record)
	}
	return d.wholeFiles(ctx, r.Files)
}

func (d *Dataset) wholeFiles(ctx context.Context, files []RecordFile) (bool, error) {
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = f.File
	}
	sizes, err := d.store.Sizes(ctx, names...)
	if err != nil {
		return false, err
	}
	for i, f := range files {
		if sizes[i] != f.Bytes {
			return false, nil
		}
	}
	return true, nil
}
