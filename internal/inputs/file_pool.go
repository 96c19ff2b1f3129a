package inputs

import (
	"container/list"
	"os"
	"sync"

	"github.com/etl2parquet/etl2parquet/internal/base/reach"
)

// filePool bounds the open files among those that are read: the one that was not read for the longest
// time is closed, and opened again when it is read.
type filePool struct {
	most int

	mu     sync.Mutex
	open   int
	unused list.List // of *pooledFile that are open and not being read, the latest first
}

// pooledFile is a file of a pool.
type pooledFile struct {
	pool *filePool
	path string
	from *reach.Files

	// Guarded by the lock of the pool:
	file   *os.File // nil: closed meanwhile
	users  int      // readers of the file
	place  *list.Element
	opened os.FileInfo // when it was opened for the first time
}

// use returns the open file. It must be given back with unuse.
func (f *pooledFile) use() (*os.File, error) {
	p := f.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	if f.file == nil {
		p.makeRoom()
		if err := f.reopen(); err != nil {
			return nil, err
		}
		p.open++
	}
	if f.place != nil {
		p.unused.Remove(f.place)
		f.place = nil
	}
	f.users++
	return f.file, nil
}

// reopen opens the file. It must be the one that was opened for the first time.
func (f *pooledFile) reopen() error {
	file, err := f.from.Open(f.path)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	switch {
	case err != nil:
	case f.opened == nil:
		f.opened = info
	case !os.SameFile(info, f.opened):
		err = errReplaced
	case info.Size() != f.opened.Size() || !info.ModTime().Equal(f.opened.ModTime()):
		err = errChanged
	}
	if err != nil {
		file.Close() // only read, so an error does not matter
		return err
	}
	f.file = file
	return nil
}

func (f *pooledFile) unuse() {
	p := f.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	if f.users--; f.users == 0 && f.file != nil {
		f.place = p.unused.PushFront(f)
		if p.open > p.most {
			p.makeRoom()
		}
	}
}

// makeRoom closes files that are not being read until one more may be open. If all are being read,
// there are as many as readers.
func (p *filePool) makeRoom() {
	for last := p.unused.Back(); last != nil && p.open >= p.most; last = p.unused.Back() {
		last.Value.(*pooledFile).shut()
	}
}

// shut closes a file that is open and not being read.
func (f *pooledFile) shut() {
	f.pool.unused.Remove(f.place)
	f.file.Close() // only read, so an error does not matter
	f.file, f.place = nil, nil
	f.pool.open--
}

// ReadAt implements [io.ReaderAt].
func (f *pooledFile) ReadAt(b []byte, offset int64) (int, error) {
	file, err := f.use()
	if err != nil {
		return 0, err
	}
	defer f.unuse()
	return file.ReadAt(b, offset)
}

// Stat returns the state of the file.
func (f *pooledFile) Stat() (os.FileInfo, error) {
	file, err := f.use()
	if err != nil {
		return nil, err
	}
	defer f.unuse()
	return file.Stat()
}

// Close implements [io.Closer]. Nothing may read the file.
func (f *pooledFile) Close() error {
	f.pool.mu.Lock()
	defer f.pool.mu.Unlock()
	if f.file != nil {
		f.shut()
	}
	return nil
}
