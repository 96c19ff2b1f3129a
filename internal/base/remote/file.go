package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"github.com/etl2parquet/etl2parquet/internal/base/temporary"
)

// ErrChanged means that a file has changed since it was opened.
var ErrChanged = errors.New("it was changed on the server while it was read")

const (
	blockSize = 4 << 20 // large enough that transfer time dominates latency
	ahead     = 4       // blocks fetched in advance if a file is read in order
	inMemory  = 8       // blocks of a file without room on disk
)

// Fetch fills p with the bytes at an offset, or returns an error.
type Fetch func(ctx context.Context, p []byte, offset int64) error

// Cache is shared by files. It limits the number of concurrent fetches, and stores blocks.
type Cache struct {
	temp  *temporary.Pool
	left  atomic.Int64
	slots chan struct{}
}

// NewCache returns a cache that stores up to limit bytes in temporary files in a folder, and
// fetches at most fetches blocks of 4 MiB at a time.
func NewCache(dir string, limit int64, fetches int) *Cache {
	c := &Cache{temp: temporary.NewPool(dir), slots: make(chan struct{}, fetches)}
	c.left.Store(limit)
	return c
}

// File is a file on a server. It stores fetched blocks on disk if there is room, because a
// trace is read three times.
type File struct {
	size   int64
	fetch  Fetch
	cache  *Cache
	ctx    context.Context
	cancel context.CancelFunc
	wait   sync.WaitGroup

	mu     sync.Mutex
	failed error
	blocks map[int64]*block // being fetched, or in memory
	recent []int64          // in memory, the oldest first
	stored map[int64]bool   // on disk
	disk   *temporary.File
	kept   int64 // bytes on disk
	noDisk bool  // the disk has no more room
}

// block is a block of a file; its contents are valid once it is done.
type block struct {
	done chan struct{}
	data []byte
	err  error
}

// Open returns a file of a known size. The file can be read until it is closed or the context ends.
func (c *Cache) Open(ctx context.Context, size int64, fetch Fetch) *File {
	f := &File{size: size, fetch: fetch, cache: c, blocks: make(map[int64]*block), stored: make(map[int64]bool)}
	f.ctx, f.cancel = context.WithCancel(ctx)
	return f
}

// Size returns the size in bytes.
func (f *File) Size() int64 { return f.size }

// Close cancels requests and releases the stored blocks.
func (f *File) Close() error {
	f.cancel()
	f.wait.Wait()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failed = errors.New("read from a closed file")
	if f.disk == nil {
		return nil
	}
	err := f.disk.Close()
	f.disk = nil
	f.cache.left.Add(f.kept)
	return err
}

// ReadAt implements io.ReaderAt.
func (f *File) ReadAt(p []byte, offset int64) (int, error) {
	if offset < 0 {
		return 0, fmt.Errorf("read at %d", offset)
	}
	n := 0
	for n < len(p) {
		at := offset + int64(n)
		if at >= f.size {
			return n, io.EOF
		}
		i := at / blockSize
		end := min(f.size, (i+1)*blockSize)
		part := p[n:min(int64(len(p)), int64(n)+end-at)]
		if err := f.read(part, i, at-i*blockSize); err != nil {
			return n, err
		}
		n += len(part)
	}
	return n, nil
}

// read fills p from an offset in a block.
func (f *File) read(p []byte, i, within int64) error {
	b, disk, err := f.block(i)
	switch {
	case err != nil:
		return err
	case disk != nil:
		_, err := disk.ReadAt(p, i*blockSize+within)
		return err
	}
	select {
	case <-b.done:
	case <-f.ctx.Done():
		return f.ctx.Err()
	}
	if b.err != nil {
		return f.fail(b.err)
	}
	copy(p, b.data[within:])
	return nil
}

// fail makes an error permanent: all later reads return it, because retrying has already failed.
func (f *File) fail(err error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.failed == nil && f.ctx.Err() == nil {
		f.failed = err
	}
	return err
}

// block returns a block, which may still be being fetched, or the file on disk if the block is
// stored there. If the file is read in order, it also starts fetching the next blocks.
func (f *File) block(i int64) (*block, *temporary.File, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.failed != nil {
		return nil, nil, f.failed
	}
	b := f.start(i)
	if i == 0 || f.known(i-1) {
		for next := i + 1; next <= i+ahead && next*blockSize < f.size; next++ {
			f.start(next)
		}
	}
	if b == nil {
		return nil, f.disk, nil
	}
	return b, nil, nil
}

func (f *File) known(i int64) bool { return f.stored[i] || f.blocks[i] != nil }

// start returns a block that is being fetched, or nil if it is on disk.
func (f *File) start(i int64) *block {
	if f.stored[i] {
		return nil
	}
	b := f.blocks[i]
	if b == nil {
		b = &block{done: make(chan struct{})}
		f.blocks[i] = b
		f.wait.Go(func() { f.get(b, i) })
	}
	return b
}

// get fetches a block.
func (f *File) get(b *block, i int64) {
	defer close(b.done)
	select {
	case f.cache.slots <- struct{}{}:
		defer func() { <-f.cache.slots }()
	case <-f.ctx.Done():
		b.err = f.ctx.Err()
		return
	}
	data := make([]byte, min(blockSize, f.size-i*blockSize))
	b.err = f.fetch(f.ctx, data, i*blockSize)
	onDisk := b.err == nil && f.store(data, i)
	f.mu.Lock()
	defer f.mu.Unlock()
	if b.err != nil {
		delete(f.blocks, i)
		return
	}
	b.data = data
	if onDisk {
		f.stored[i] = true
		delete(f.blocks, i)
		return
	}
	f.recent = append(f.recent, i)
	if len(f.recent) > inMemory {
		delete(f.blocks, f.recent[0])
		f.recent = f.recent[1:]
	}
}

// store stores a block on disk. If there is no room, the block is dropped and may have to be
// fetched again.
func (f *File) store(data []byte, i int64) bool {
	disk, size := f.temporary(), int64(len(data))
	if disk == nil {
		return false
	}
	if f.cache.left.Add(-size) < 0 {
		f.cache.left.Add(size)
		return false
	}
	_, err := disk.WriteAt(data, i*blockSize)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.kept += size
	f.noDisk = f.noDisk || err != nil
	return err == nil
}

// temporary returns the file on disk, or nil if there is none.
func (f *File) temporary() *temporary.File {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.noDisk {
		return nil
	}
	if f.disk == nil {
		disk, err := f.cache.temp.Create()
		if err != nil {
			f.noDisk = true
			return nil
		}
		f.disk = disk
	}
	return f.disk
}
