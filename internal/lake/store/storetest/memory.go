package storetest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/lake/store"
)

// ErrEnded is the error of each operation after the process of a [Memory] has ended.
var ErrEnded = errors.New("the process has ended")

// Memory is a store in memory that logs the operations that change it. A test decides which
// operation fails or ends the process, and a crash loses whatever was not synced. The zero value is
// empty.
type Memory struct {
	// FoldCase makes the store find a file in another case.
	FoldCase bool
	// Interrupted makes Begin clear the leftovers of an interrupted run; Others means that other
	// processes write, so that Begin is not alone.
	Interrupted, Others bool
	// EmptyFolders are the names of folders without files, each with a slash at its end.
	EmptyFolders []string

	mu        sync.Mutex
	files     map[string]*memoryFile // published, by name
	temporary []*memoryFile          // neither published nor discarded, in the order of Create
	created   int                    // files so far
	log       []string
	fail      func(operation string) error
	ended     bool
}

// memoryFile is a file of a Memory.
type memoryFile struct {
	store  *Memory
	name   string
	id     string // of a leftover
	data   []byte
	time   time.Time
	staged bool
	// Of a published file: whether a crash can undo that, and the file that would then have the name.
	unsynced bool
	before   *memoryFile
}

var _ store.Store = (*Memory)(nil)

// FailAt makes operations fail: fail is called before each operation, with its line in [Memory.Log],
// and returns the error. After [ErrEnded], all later operations return that, too.
func (m *Memory) FailAt(fail func(operation string) error) { m.fail = fail }

// Log returns the operations since the last call, as lines such as "publish a/b.parquet".
// Consecutive lines with the same verb are sorted, because several goroutines stage, publish and
// discard files; removals are not sorted.
func (m *Memory) Log() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	log := m.log
	m.log = nil
	verb := func(line string) string { word, _, _ := strings.Cut(line, " "); return word }
	for from := 0; from < len(log); {
		to := from + 1
		for to < len(log) && verb(log[to]) == verb(log[from]) {
			to++
		}
		if verb(log[from]) != "remove" {
			slices.Sort(log[from:to])
		}
		from = to
	}
	return log
}

// Crash returns the store that the next process finds. If lose is true, publications that were not
// synced are undone, as a file system may do.
func (m *Memory) Crash(lose bool) *Memory {
	m.mu.Lock()
	defer m.mu.Unlock()
	after := &Memory{FoldCase: m.FoldCase, Interrupted: true, files: make(map[string]*memoryFile), created: m.created}
	for key, f := range m.files {
		for lose && f != nil && f.unsynced {
			f = f.before
		}
		if f != nil {
			after.files[key] = &memoryFile{store: after, name: f.name, data: f.data, time: f.time}
		}
	}
	for _, f := range m.temporary {
		after.temporary = append(after.temporary, &memoryFile{store: after, name: f.name, id: f.id, data: f.data, time: f.time})
	}
	return after
}

// Put publishes a file, without an operation in the log.
func (m *Memory) Put(name, contents string, written time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.put(&memoryFile{store: m, name: name, data: []byte(contents), time: written})
}

func (m *Memory) put(f *memoryFile) {
	if m.files == nil {
		m.files = make(map[string]*memoryFile)
	}
	m.files[m.key(f.name)] = f
}

// Files returns the contents of all published files.
func (m *Memory) Files() map[string]string {
	m.mu.Lock()
	defer m.mu.Unlock()
	files := make(map[string]string)
	for _, f := range m.files {
		files[f.name] = string(f.data)
	}
	return files
}

func (m *Memory) key(name string) string {
	if m.FoldCase {
		return strings.ToLower(name)
	}
	return name
}

// begin logs an operation, or returns its error.
func (m *Memory) begin(format string, args ...any) error {
	operation := fmt.Sprintf(format, args...)
	if m.ended {
		return ErrEnded
	}
	if m.fail != nil {
		if err := m.fail(operation); err != nil {
			m.ended = errors.Is(err, ErrEnded)
			return err
		}
	}
	m.log = append(m.log, operation)
	return nil
}

// Prepare implements [store.Store].
func (m *Memory) Prepare(context.Context) error { return nil }

// Begin implements [store.Store].
func (m *Memory) Begin(_ context.Context, always bool, clear func(alone bool) error) error {
	if !always && !m.Interrupted {
		return nil
	}
	m.Interrupted = false
	return clear(!m.Others)
}

// Close implements [store.Store].
func (m *Memory) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.begin("close")
}

// Create implements [store.Store].
func (m *Memory) Create(_ context.Context, name string) (store.File, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.begin("create %s", name); err != nil {
		return nil, err
	}
	m.created++
	f := &memoryFile{store: m, name: name, id: fmt.Sprintf("%s.%d.tmp", name, m.created), time: time.Now()}
	m.temporary = append(m.temporary, f)
	return f, nil
}

// Write implements [store.File].
func (f *memoryFile) Write(p []byte) (int, error) {
	f.store.mu.Lock()
	defer f.store.mu.Unlock()
	if f.store.ended {
		return 0, ErrEnded
	}
	f.data = append(f.data, p...)
	return len(p), nil
}

// Stage implements [store.File].
func (f *memoryFile) Stage(context.Context) (int64, error) {
	f.store.mu.Lock()
	defer f.store.mu.Unlock()
	if err := f.store.begin("stage %s", f.name); err != nil {
		return 0, err
	}
	f.staged = true
	return int64(len(f.data)), nil
}

// Publish implements [store.File].
func (f *memoryFile) Publish(context.Context) error {
	m := f.store
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.begin("publish %s", f.name); err != nil {
		return err
	}
	if !f.staged || !slices.Contains(m.temporary, f) {
		return fmt.Errorf("publish %s: it is not staged, or published already", f.name)
	}
	m.temporary = slices.DeleteFunc(m.temporary, func(o *memoryFile) bool { return o == f })
	f.unsynced, f.before = true, m.files[m.key(f.name)]
	m.put(f)
	return nil
}

// Discard implements [store.File].
func (f *memoryFile) Discard(context.Context) error {
	m := f.store
	m.mu.Lock()
	defer m.mu.Unlock()
	if !slices.Contains(m.temporary, f) {
		return nil
	}
	if err := m.begin("discard %s", f.name); err != nil {
		return err
	}
	m.temporary = slices.DeleteFunc(m.temporary, func(o *memoryFile) bool { return o == f })
	return nil
}

// memoryContent is a file being read.
type memoryContent struct{ *bytes.Reader }

// Close implements [store.Content].
func (memoryContent) Close() error { return nil }

// Open implements [store.Store].
func (m *Memory) Open(_ context.Context, name string) (store.Content, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f := m.files[m.key(name)]
	if f == nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return memoryContent{bytes.NewReader(f.data)}, nil
}

// ReadFile implements [store.Store].
func (m *Memory) ReadFile(ctx context.Context, name string) ([]byte, error) {
	c, err := m.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.NewSectionReader(c, 0, c.Size()))
}

// Sizes implements [store.Store].
func (m *Memory) Sizes(ctx context.Context, names ...string) ([]int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	sizes := make([]int64, len(names))
	for i, name := range names {
		sizes[i] = -1
		if f := m.files[m.key(name)]; f != nil {
			sizes[i] = int64(len(f.data))
		}
	}
	return sizes, ctx.Err()
}

// Folders implements [store.Store].
func (m *Memory) Folders(_ context.Context, folder string) ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	found := make(map[string]bool)
	add := func(name string) {
		if below, ok := strings.CutPrefix(name, within(folder)); ok {
			if first, _, ok := strings.Cut(below, "/"); ok {
				found[first] = true
			}
		}
	}
	for _, f := range m.files {
		add(f.name)
	}
	for _, name := range m.EmptyFolders {
		add(name)
	}
	return slices.Sorted(maps.Keys(found)), nil
}

// within returns the prefix of all names in a folder.
func within(folder string) string {
	if folder == "" {
		return ""
	}
	return folder + "/"
}

// List implements [store.Store].
func (m *Memory) List(ctx context.Context, folder string) iter.Seq2[store.Entry, error] {
	return func(yield func(store.Entry, error) bool) {
		m.mu.Lock()
		var entries []store.Entry
		for _, f := range m.files {
			if strings.HasPrefix(f.name, within(folder)) {
				entries = append(entries, store.Entry{Name: f.name, Size: int64(len(f.data)), Time: f.time})
			}
		}
		m.mu.Unlock()
		// The order is not promised: backwards, what needs another is seen.
		slices.SortFunc(entries, func(a, b store.Entry) int { return cmp.Compare(b.Name, a.Name) })
		for _, e := range entries {
			if ctx.Err() != nil || !yield(e, nil) {
				break
			}
		}
		if err := ctx.Err(); err != nil {
			yield(store.Entry{}, err)
		}
	}
}

// Remove implements [store.Store]. Each file is an operation, because a crash can come between two.
func (m *Memory) Remove(ctx context.Context, names ...string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, name := range names {
		if err := cmp.Or(ctx.Err(), m.begin("remove %s", name)); err != nil {
			return err
		}
		delete(m.files, m.key(name))
	}
	return nil
}

// Sync implements [store.Store].
func (m *Memory) Sync(_ context.Context, names ...string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.begin("sync %s", strings.Join(names, " ")); err != nil {
		return err
	}
	for _, name := range names {
		if f := m.files[m.key(name)]; f != nil {
			f.unsynced, f.before = false, nil
		}
	}
	return nil
}

// Leftovers implements [store.Store].
func (m *Memory) Leftovers(context.Context) ([]store.Leftover, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var left []store.Leftover
	for _, f := range m.temporary {
		left = append(left, store.Leftover{Name: f.name, ID: f.id, Size: int64(len(f.data)), Time: f.time})
	}
	for _, name := range m.EmptyFolders {
		left = append(left, store.Leftover{Name: name, ID: name, Size: -1})
	}
	return left, nil
}

// RemoveLeftovers implements [store.Store].
func (m *Memory) RemoveLeftovers(_ context.Context, leftovers ...store.Leftover) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, l := range leftovers {
		if err := m.begin("remove leftover %s", l.Name); err != nil {
			return err
		}
		m.temporary = slices.DeleteFunc(m.temporary, func(f *memoryFile) bool { return f.id == l.ID })
		m.EmptyFolders = slices.DeleteFunc(m.EmptyFolders, func(name string) bool { return name == l.ID })
	}
	return nil
}

// URL implements [store.Store].
func (m *Memory) URL(name string) string { return "memory:" + name }
