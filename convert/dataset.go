package convert

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/etl2parquet/etl2parquet/schema"
)

// Dataset is the folder that traces are converted into.
type Dataset struct{ root string }

// The names in a dataset.
const (
	recordsFolder = "_traces"
	partFile      = "part-00000.parquet"
	viewsFile     = "views.sql"
	// temporary files end in tmpSuffix and begin with a dot, so that no reader
	// takes them for part of the dataset.
	tmpSuffix = ".tmp"
)

// OpenDataset returns the dataset in a folder, which it makes if need be.
func OpenDataset(root string) (*Dataset, error) {
	if err := os.MkdirAll(filepath.Join(root, recordsFolder), 0o777); err != nil {
		return nil, err
	}
	return &Dataset{root: root}, nil
}

// Record is the commit record of a trace: the trace is part of the dataset if
// and only if its record is there.
type Record struct {
	Format    int           `json:"format"` // of this record
	Tool      string        `json:"tool"`   // version that wrote it
	Trace     string        `json:"trace"`  // name in the dataset
	Input     string        `json:"input"`
	InputSize int64         `json:"input_size"`
	InputTime time.Time     `json:"input_time,omitzero"` // of its last change, or that of the archive it is in
	SHA256    string        `json:"sha256"`              // of the input
	Options   RecordOptions `json:"options"`
	Events    int64         `json:"events"` // in the input
	Files     []RecordFile  `json:"files"`
	Problems  []Problem     `json:"problems"`
}

// RecordOptions are the options that change what is written.
type RecordOptions struct {
	Payload     string   `json:"payload"`
	Compression string   `json:"compression"`
	Memory      int64    `json:"memory"` // decides where row groups end
	Fields      bool     `json:"fields,omitempty"`
	Schemas     string   `json:"schemas,omitempty"`    // fingerprint of the manifests and TMF files
	MaxTables   int      `json:"max_tables,omitempty"` // for events that schemas describe
	From        string   `json:"from,omitempty"`
	To          string   `json:"to,omitempty"`
	Providers   []string `json:"providers,omitempty"`
	Events      []string `json:"events,omitempty"`
	Tables      []string `json:"tables,omitempty"`
}

func (o *RecordOptions) equal(other *RecordOptions) bool { return reflect.DeepEqual(o, other) }

// RecordFile is a file of a trace.
type RecordFile struct {
	Table string `json:"table"`
	File  string `json:"file"` // from the root of the dataset, with slashes
	Rows  int64  `json:"rows"`
	Bytes int64  `json:"bytes"`
}

const recordFormat = 1

// Record returns the commit record of a trace, or nil if there is none.
func (d *Dataset) Record(trace string) (*Record, error) {
	text, err := os.ReadFile(d.path(recordFile(trace)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var r Record
	if err := json.Unmarshal(text, &r); err != nil || r.Format != recordFormat {
		return nil, nil // not ours to understand: the trace is converted again
	}
	return &r, nil
}

func recordFile(trace string) string { return recordsFolder + "/" + trace + ".json" }

// Whole reports whether the files of a record are there, with their sizes.
func (d *Dataset) Whole(r *Record) bool {
	for _, f := range r.Files {
		info, err := os.Stat(filepath.Join(d.root, filepath.FromSlash(f.File)))
		if err != nil || info.Size() != f.Bytes {
			return false
		}
	}
	return true
}

// traceOutput is the files of one trace while they are written.
type traceOutput struct {
	dataset *Dataset
	trace   string

	mu    sync.Mutex // while the tables are opened, by any worker
	files []*outputFile
}

// outputFile is one file, under its temporary name until it is whole.
type outputFile struct {
	*os.File
	table   string
	path    string // final, from the root, with slashes
	parquet *parquetFile
}

func (d *Dataset) begin(trace string) *traceOutput {
	return &traceOutput{dataset: d, trace: trace}
}

// create opens the file of a table.
func (o *traceOutput) create(table string) (*outputFile, error) {
	path := table + "/trace=" + o.trace + "/" + partFile
	tmp := o.dataset.temporary(path)
	if err := os.MkdirAll(filepath.Dir(tmp), 0o777); err != nil {
		return nil, err
	}
	file, err := os.Create(tmp)
	if err != nil {
		return nil, err
	}
	f := &outputFile{File: file, table: table, path: path}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.files = append(o.files, f)
	return f, nil
}

func (d *Dataset) path(file string) string { return filepath.Join(d.root, filepath.FromSlash(file)) }

func (d *Dataset) temporary(file string) string {
	path := d.path(file)
	return filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+tmpSuffix)
}

// abandon removes what was written.
func (o *traceOutput) abandon() {
	for _, f := range o.files {
		f.Close()           // the error that made us abandon it is reported
		os.Remove(f.Name()) //
		removeEmpty(filepath.Dir(f.Name()), o.dataset.root)
	}
}

// removeEmpty removes folders that are empty, up to the root.
func removeEmpty(folder, root string) {
	for folder != root && os.Remove(folder) == nil {
		folder = filepath.Dir(folder)
	}
}

// commit makes the files part of the dataset: they and the record are brought
// to disk under temporary names, the old record and files of the trace go, the
// new ones take their names, the record last. A crash in between leaves the
// trace without a record.
func (o *traceOutput) commit(r *Record) error {
	d := o.dataset
	slices.SortFunc(o.files, func(a, b *outputFile) int { return cmp.Compare(a.path, b.path) })
	for _, f := range o.files {
		size, err := f.Seek(0, io.SeekEnd)
		if err != nil {
			return err
		}
		r.Files = append(r.Files, RecordFile{Table: f.table, File: f.path, Rows: f.parquet.rows, Bytes: size})
	}
	err := o.together(func(f *outputFile) error {
		if err := errors.Join(f.Sync(), f.Close()); err != nil {
			return fmt.Errorf("write %s: %w", f.path, err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	record := recordFile(o.trace)
	if err := d.writeTemporary(record, append(text, '\n')); err != nil {
		return err
	}
	if err := o.replace(record); err != nil {
		os.Remove(d.temporary(record)) // the error to report is the one that came first
		d.remove(o.trace)              //
		return err
	}
	return nil
}

// syncsAtOnce is how many files are on their way to disk at the same time: a
// file system writes its journal once for all that wait for it.
const syncsAtOnce = 16

// together does something with each file, several at a time.
func (o *traceOutput) together(do func(*outputFile) error) error {
	var g errgroup.Group
	g.SetLimit(syncsAtOnce)
	for _, f := range o.files {
		g.Go(func() error { return do(f) })
	}
	return g.Wait()
}

// replace puts the new files of the trace in the place of the old ones.
func (o *traceOutput) replace(record string) error {
	d := o.dataset
	if err := d.remove(o.trace); err != nil {
		return err
	}
	if err := o.together(func(f *outputFile) error { return d.rename(f.path) }); err != nil {
		return err
	}
	return d.rename(record)
}

// remove takes a trace out of the dataset: first its record, then its files.
func (d *Dataset) remove(trace string) error {
	if err := os.Remove(d.path(recordFile(trace))); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	syncFolder(filepath.Join(d.root, recordsFolder))
	tables, err := d.tables()
	if err != nil {
		return err
	}
	for _, t := range tables {
		path := d.path(t + "/trace=" + trace + "/" + partFile)
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		removeEmpty(filepath.Dir(path), d.root)
	}
	return nil
}

// tables returns the names of the tables that have a folder, those of this
// program's own first and then the others by name.
func (d *Dataset) tables() ([]string, error) {
	var tables, others []string
	own := make(map[string]bool)
	for _, t := range schema.Tables() {
		own[t.Name] = true
		if info, err := os.Stat(d.path(t.Name)); err == nil && info.IsDir() {
			tables = append(tables, t.Name)
		}
	}
	providers, err := os.ReadDir(d.path(strings.TrimSuffix(schema.EventsFolder, "/")))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, p := range providers {
		if !p.IsDir() {
			continue
		}
		events, err := os.ReadDir(d.path(schema.EventsFolder + p.Name()))
		if err != nil {
			return nil, err
		}
		for _, e := range events {
			if name := schema.EventsFolder + p.Name() + "/" + e.Name(); e.IsDir() && !own[name] {
				others = append(others, name)
			}
		}
	}
	return append(tables, others...), nil
}

// writeFile writes a small file whole or not at all.
func (d *Dataset) writeFile(file string, contents []byte) error {
	if err := d.writeTemporary(file, contents); err != nil {
		return err
	}
	if err := d.rename(file); err != nil {
		os.Remove(d.temporary(file)) // the error to report is the one that came first
		return err
	}
	return nil
}

// writeTemporary writes a small file under its temporary name.
func (d *Dataset) writeTemporary(file string, contents []byte) error {
	tmp := d.temporary(file)
	f, err := os.Create(tmp)
	if err != nil {
		return err
	}
	_, err = f.Write(contents)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		os.Remove(tmp) // the error to report is the one that came first
		return fmt.Errorf("write %s: %w", file, err)
	}
	return nil
}

// rename gives a file its name in the dataset.
func (d *Dataset) rename(file string) error {
	if err := os.Rename(d.temporary(file), d.path(file)); err != nil {
		return err
	}
	syncFolder(filepath.Dir(d.path(file)))
	return nil
}

// syncFolder brings the names in a folder to disk, where the system can.
func syncFolder(folder string) {
	if f, err := os.Open(folder); err == nil {
		f.Sync() // Windows refuses this for folders; there renames need no help
		f.Close()
	}
}
