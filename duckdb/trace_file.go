package main

import (
	"errors"
	"io"
	"os"
	"sync"
	"sync/atomic"

	"github.com/zeebo/xxh3"
)

// Counts since the extension was loaded: calls that read traces, and the bytes read. Each buffer of a
// trace is read by one call.
var fileReads, fileBytes atomic.Int64

// countedReader counts reads and bytes of a trace that is in an archive or on a server.
type countedReader struct{ readerAt }

func (r countedReader) ReadAt(p []byte, offset int64) (int, error) {
	n, err := r.readerAt.ReadAt(p, offset)
	fileReads.Add(1)
	fileBytes.Add(int64(n))
	return n, err
}

// traceFile is the file of a trace. It is closed while no query uses it, and opened again by the next
// read. Buffers are read more than once: for the index, and for the rows of each scan. Reading other
// bytes than the first time is an error, because the index would not fit them.
type traceFile struct {
	path  string
	found os.FileInfo // when the query found it

	mu   sync.RWMutex
	file *os.File // nil while closed
	all  []byte   // the contents of a small file, while it is open and there is room; else nil

	sums    sync.Map // of what was read: by its range, an xxh3 hash
	changed atomic.Bool
}

// span is a range of a file.
type span struct {
	offset int64
	length int
}

var _ readerAt = (*traceFile)(nil)

// The errors of a trace that does not stay as it is.
var (
	errChanged  = errors.New("it changed while it was read: run the query again when no program writes to it any more")
	errReplaced = errors.New("another file took its place while it was read: run the query again")
)

// ReadAt implements io.ReaderAt.
func (f *traceFile) ReadAt(p []byte, offset int64) (int, error) {
	n, err := f.read(p, offset)
	if err != nil && !errors.Is(err, io.EOF) {
		return n, err
	}
	sum := xxh3.Hash(p[:n])
	if before, again := f.sums.LoadOrStore(span{offset, n}, sum); again && before != sum {
		f.changed.Store(true)
		return 0, errChanged
	}
	return n, err
}

func (f *traceFile) read(p []byte, offset int64) (int, error) {
	f.mu.RLock()
	for f.file == nil {
		f.mu.RUnlock()
		if err := f.open(); err != nil {
			return 0, err
		}
		f.mu.RLock()
	}
	defer f.mu.RUnlock()
	if f.all != nil {
		n := copy(p, f.all[min(max(offset, 0), int64(len(f.all))):])
		if n < len(p) {
			return n, io.EOF
		}
		return n, nil
	}
	return f.count(f.file.ReadAt(p, offset))
}

// count counts a read.
func (f *traceFile) count(n int, err error) (int, error) {
	fileReads.Add(1)
	fileBytes.Add(int64(n))
	return n, err
}

// Small files are read as a whole, and once for the index and the rows of a query. All that are open
// take at most contentRoom bytes of memory.
const (
	smallFile   = 16 << 20
	contentRoom = 64 << 20
)

var contentBytes atomic.Int64

// load reads the contents of a small file if there is room.
func (f *traceFile) load() {
	size := f.found.Size()
	if size > smallFile {
		return
	}
	if contentBytes.Add(size) <= contentRoom {
		all := make([]byte, size)
		if n, _ := f.count(f.file.ReadAt(all, 0)); int64(n) == size { // else reading reports the error
			f.all = all
			return
		}
	}
	contentBytes.Add(-size)
}

// open opens the file unless it is open.
func (f *traceFile) open() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.file != nil {
		return nil
	}
	file, err := os.Open(f.path)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err == nil && !os.SameFile(info, f.found) {
		f.changed.Store(true)
		err = errReplaced
	}
	if err != nil {
		return errors.Join(err, file.Close())
	}
	f.file = file
	f.load()
	return nil
}

// rest closes the file until the next read.
func (f *traceFile) rest() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.file != nil {
		f.file.Close() // only read, so an error does not matter
		contentBytes.Add(-int64(len(f.all)))
		f.file, f.all = nil, nil
	}
}

// Unchanged returns an error if the file is not as the query found it: its size, its time, the file at
// its path, or what is in the buffers that were read twice.
func (f *traceFile) Unchanged() error {
	f.mu.RLock()
	defer f.mu.RUnlock()
	if f.changed.Load() {
		return errChanged
	}
	now, err := os.Stat(f.path)
	switch {
	case err != nil && f.file != nil:
		return nil // a file that was removed remains readable while it is open
	case err != nil:
		return err
	case !os.SameFile(now, f.found):
		return errReplaced
	case now.Size() != f.found.Size() || !now.ModTime().Equal(f.found.ModTime()):
		return errChanged
	}
	return nil
}
