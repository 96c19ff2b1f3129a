package convert

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/etl2parquet/etl2parquet/internal/parquet"
	"github.com/etl2parquet/etl2parquet/internal/rows"
	"github.com/etl2parquet/etl2parquet/internal/store"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Dataset is what traces are converted into.
type Dataset struct {
	store  store.Store
	groups *groups // where traces share files; nil: each has its own

	mu      sync.Mutex
	earlier []string // tables that were there before, once they are known
	known   bool
}

// The names in a dataset.
const (
	recordsFolder = "_traces"
	partFile      = "part-00000.parquet"
	viewsFile     = "views.sql"
)

// NewDataset returns the dataset that is kept in a store. To convert into it,
// the store must have been prepared.
func NewDataset(s store.Store) *Dataset { return &Dataset{store: s} }

// OpenDataset returns the dataset in a folder, which it makes if need be.
func OpenDataset(root string) (*Dataset, error) {
	folder := store.NewFolder(root)
	if err := folder.Prepare(context.Background()); err != nil {
		return nil, err
	}
	return NewDataset(folder), nil
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
	Decoding  *Decoding     `json:"decoding,omitempty"`
	Files     []RecordFile  `json:"files"`
	Problems  []Problem     `json:"problems"`

	shared bool  // the files are those of a group; see GroupRecord
	rows   int64 // of a trace of a group, in tables of events

	mismatches rows.Mismatches // of a conversion of this run
}

// RecordFile is a file of a trace.
type RecordFile struct {
	Table  string `json:"table"`
	File   string `json:"file"` // from the root of the dataset, with slashes
	Rows   int64  `json:"rows"`
	Bytes  int64  `json:"bytes"`
	CRC32C string `json:"crc32c"` // of its contents, eight hexadecimal digits
	// Columns are those of a table that is not the same in every trace, beside
	// those of all tables of events: their types by name.
	Columns map[string]string `json:"columns,omitempty"`
}

const recordFormat = 1

// Record returns the commit record of a trace, or nil if there is none.
func (d *Dataset) Record(ctx context.Context, trace string) (*Record, error) {
	if d.groups != nil {
		return d.groups.record(trace), nil
	}
	r, err := d.readRecord(ctx, recordFile(trace))
	if errors.Is(err, errRecord) {
		return nil, nil // the trace is converted again
	}
	return r, err
}

// Traces returns the traces that have a record, in lower case, which some
// stores do not tell apart.
func (d *Dataset) Traces(ctx context.Context) (map[string]bool, error) {
	if d.groups != nil {
		return d.groups.traces(), nil
	}
	traces := make(map[string]bool)
	for entry, err := range d.store.List(ctx, recordsFolder) {
		if err != nil {
			return nil, err
		}
		if isRecordFile(entry.Name) {
			traces[strings.ToLower(strings.TrimSuffix(path.Base(entry.Name), ".json"))] = true
		}
	}
	return traces, nil
}

func recordFile(trace string) string { return recordsFolder + "/" + trace + ".json" }

// Whole reports whether the files of a record are there, with their sizes.
func (d *Dataset) Whole(ctx context.Context, r *Record) (bool, error) {
	if r.shared {
		return d.wholeGroup(ctx, r.Trace)
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

// traceOutput is the files of one trace while they are written.
type traceOutput struct {
	dataset *Dataset
	trace   string

	mu    sync.Mutex // while the tables are opened, by any worker
	files []*outputFile
}

// outputFile is the file of a table, which is not seen until it is published.
type outputFile struct {
	store.File
	table   string
	path    string // from the root, with slashes
	size    int64  // once it is staged
	parquet *parquet.File
}

func (d *Dataset) begin(trace string) *traceOutput {
	return &traceOutput{dataset: d, trace: trace}
}

// create opens the file of a table.
func (o *traceOutput) create(ctx context.Context, table string) (*outputFile, error) {
	path := table + "/trace=" + o.trace + "/" + partFile
	file, err := o.dataset.store.Create(ctx, path)
	if err != nil {
		return nil, err
	}
	f := &outputFile{File: file, table: table, path: path}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.files = append(o.files, f)
	return f, nil
}

// cleanUpTime is how long what was written may take to be removed after a
// failure, which can be that of a network.
const cleanUpTime = 30 * time.Second

// cleaningUp is for what must be done even though the context has ended.
func cleaningUp(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), cleanUpTime)
}

// abandon removes what was written, because of an error that it returns.
func (o *traceOutput) abandon(ctx context.Context, because error) error {
	ctx, cancel := cleaningUp(ctx)
	defer cancel()
	err := together(o.files, func(f *outputFile) error { return f.Discard(ctx) })
	return alsoFailed(because, err)
}

var errLeft = errors.New("what was written could not be removed")

// alsoFailed adds to an error that cleaning up failed, too: once, and why for
// the first time.
func alsoFailed(because error, cleanUp ...error) error {
	failed := slices.IndexFunc(cleanUp, func(err error) bool { return err != nil })
	if failed < 0 || errors.Is(because, errLeft) {
		return because
	}
	return fmt.Errorf("%w; and %w: %w", because, errLeft, cleanUp[failed])
}

// commit makes the files part of the dataset: they and the record are staged,
// the old record and files of the trace go, the new ones are published, the
// record last. A crash in between leaves the trace without a record.
func (o *traceOutput) commit(ctx context.Context, r *Record, p *Progress) error {
	files, err := stageAll(ctx, o.files, p)
	if err != nil {
		return err
	}
	r.Files = files
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	record, err := o.dataset.stage(ctx, recordFile(o.trace), append(text, '\n'))
	if err != nil {
		return err
	}
	// From here on the trace is taken apart and put together again, which is
	// not a moment to be interrupted in.
	ctx = context.WithoutCancel(ctx)
	if err := o.replace(ctx, record); err != nil {
		ctx, cancel := cleaningUp(ctx)
		defer cancel()
		return alsoFailed(err, record.Discard(ctx), o.dataset.remove(ctx, o.trace, o.paths()...))
	}
	return nil
}

// paths returns the names of the files.
func (o *traceOutput) paths() []string {
	var paths []string
	for _, f := range o.files {
		paths = append(paths, f.path)
	}
	return paths
}

// atOnce is how many files are staged, published or asked for at the same
// time: a file system writes its journal once for all that wait for it, and
// requests to a server take their time.
const atOnce = 16

// stageAll stages files, and returns what a record says of them. The progress may
// be nil.
func stageAll(ctx context.Context, files []*outputFile, p *Progress) ([]RecordFile, error) {
	if p != nil {
		p.Files.Store(int64(len(files)))
	}
	slices.SortFunc(files, func(a, b *outputFile) int { return cmp.Compare(a.path, b.path) })
	err := together(files, func(f *outputFile) (err error) {
		f.size, err = f.Stage(ctx)
		if p != nil {
			p.Staged.Add(1)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	list := []RecordFile{}
	for _, f := range files {
		list = append(list, RecordFile{Table: f.table, File: f.path, Rows: f.parquet.Rows, Bytes: f.size, CRC32C: f.parquet.Checksum().String(), Columns: recordColumns(f.parquet.Table)})
	}
	return list, nil
}

// together does something with each file, several at a time.
func together(files []*outputFile, do func(*outputFile) error) error {
	var g errgroup.Group
	g.SetLimit(atOnce)
	for _, f := range files {
		g.Go(func() error { return do(f) })
	}
	return g.Wait()
}

// replace puts the new files of the trace in the place of the old ones.
func (o *traceOutput) replace(ctx context.Context, record store.File) error {
	if err := o.dataset.remove(ctx, o.trace); err != nil {
		return err
	}
	if err := together(o.files, func(f *outputFile) error { return f.Publish(ctx) }); err != nil {
		return err
	}
	return record.Publish(ctx)
}

// remove takes a trace out of the dataset: first its record, then its files.
// A record is written when no other files of its trace are there. Without one,
// a run that was interrupted may have left some in any table.
func (d *Dataset) remove(ctx context.Context, trace string, files ...string) error {
	record, err := d.Record(ctx, trace)
	if err != nil {
		return err
	}
	if err := d.store.Remove(ctx, recordFile(trace)); err != nil {
		return err
	}
	if record == nil {
		tables, err := d.earlierTables(ctx)
		if err != nil {
			return err
		}
		for _, t := range tables {
			files = append(files, t+"/"+tracePrefix+trace+"/"+partFile)
		}
		return d.store.Remove(ctx, files...)
	}
	for _, f := range record.Files {
		if isPartFile(f.File) && traceOfFile(f.File) == trace { // whoever wrote it
			files = append(files, f.File)
		}
	}
	return d.store.Remove(ctx, files...)
}

// earlierTables returns the tables that there were when it was called first.
// In those that came since there is nothing that an earlier run has left; to
// look for it in the tables of all traces before would take a time that grows
// with the square of their number.
func (d *Dataset) earlierTables(ctx context.Context) ([]string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.known {
		return d.earlier, nil
	}
	tables, err := d.tables(ctx)
	if err == nil {
		d.earlier, d.known = tables, true
	}
	return tables, err
}

// tables returns the names of the tables that have a folder, those of this
// program's own first and then the others by name.
func (d *Dataset) tables(ctx context.Context) ([]string, error) {
	found, err := d.tableFolders(ctx)
	if err != nil {
		return nil, err
	}
	has := make(map[string]bool)
	for _, name := range found {
		has[name] = true
	}
	var tables []string
	for _, t := range schema.Tables() {
		if has[t.Name] {
			tables = append(tables, t.Name)
			delete(has, t.Name)
		}
	}
	for _, name := range found {
		if has[name] && strings.HasPrefix(name, schema.EventsFolder) {
			tables = append(tables, name)
		}
	}
	return tables, nil
}

// tableFolders returns the folders that may be those of tables.
func (d *Dataset) tableFolders(ctx context.Context) ([]string, error) {
	folders, err := d.store.Folders(ctx, "")
	if err != nil {
		return nil, err
	}
	events := strings.TrimSuffix(schema.EventsFolder, "/")
	providers, err := d.store.Folders(ctx, events)
	if err != nil {
		return nil, err
	}
	of := make([][]string, len(providers))
	var g errgroup.Group
	g.SetLimit(atOnce)
	for i, p := range providers {
		g.Go(func() (err error) {
			of[i], err = d.store.Folders(ctx, events+"/"+p)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	for i, p := range providers {
		for _, event := range of[i] {
			folders = append(folders, events+"/"+p+"/"+event)
		}
	}
	return folders, nil
}

// stage brings a small file to the store, to be published.
func (d *Dataset) stage(ctx context.Context, name string, contents []byte) (store.File, error) {
	f, err := d.store.Create(ctx, name)
	if err != nil {
		return nil, err
	}
	if _, err = f.Write(contents); err == nil {
		_, err = f.Stage(ctx)
	}
	if err != nil {
		return nil, d.discard(ctx, f, err)
	}
	return f, nil
}

// writeFile writes a small file whole or not at all.
func (d *Dataset) writeFile(ctx context.Context, name string, contents []byte) error {
	f, err := d.stage(ctx, name, contents)
	if err != nil {
		return err
	}
	if err := f.Publish(ctx); err != nil {
		return d.discard(ctx, f, err)
	}
	return nil
}

// discard gives up a file, because of an error that it returns.
func (d *Dataset) discard(ctx context.Context, f store.File, because error) error {
	ctx, cancel := cleaningUp(ctx)
	defer cancel()
	return alsoFailed(because, f.Discard(ctx))
}
