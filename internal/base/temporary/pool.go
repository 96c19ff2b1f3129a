package temporary

import (
	"errors"
	"io"
	"os"
	"sync"
)

// blockSize is the unit in which a file takes and releases disk space.
const blockSize = 256 << 10

// Pool makes temporary files in a folder. All of them share one file on disk, in which each takes
// blocks, so that the process has only one open file. That file exists as long as one of the
// temporary files is open.
type Pool struct {
	dir string

	mu    sync.Mutex
	disk  *disk  // nil while no file is open
	files int    // number of open files
	taken []bool // by block of disk
	first int    // all blocks before it are taken
}

// NewPool returns a pool in a folder, or in the system's temporary folder if dir is "".
func NewPool(dir string) *Pool { return &Pool{dir: dir} }

// File is a temporary file. Bytes that were not written cannot be read.
type File struct {
	pool *Pool
	disk *os.File

	mu     sync.RWMutex
	blocks []int32 // its blocks in disk; noBlock if not written yet
	size   int64
	closed bool
}

const noBlock = -1

// Create creates a file.
func (p *Pool) Create() (*File, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.disk == nil {
		d, err := createDisk(p.dir)
		if err != nil {
			return nil, err
		}
		p.disk = d
	}
	p.files++
	return &File{pool: p, disk: p.disk.File}, nil
}

// acquire takes the first free block.
func (p *Pool) acquire() int32 {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.first < len(p.taken) && p.taken[p.first] {
		p.first++
	}
	if p.first == len(p.taken) {
		p.taken = append(p.taken, false)
	}
	p.taken[p.first] = true
	return int32(p.first)
}

// release frees the blocks of a file. It truncates free blocks at the end of the disk file, and
// removes the disk file with the last file.
func (p *Pool) release(blocks []int32) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.files--; p.files == 0 {
		d := p.disk
		p.disk, p.taken, p.first = nil, nil, 0
		return d.Close()
	}
	for _, b := range blocks {
		if b != noBlock {
			p.taken[b] = false
			p.first = min(p.first, int(b))
		}
	}
	end := len(p.taken)
	for end > 0 && !p.taken[end-1] {
		end--
	}
	if end == len(p.taken) {
		return nil
	}
	p.taken = p.taken[:end]
	return p.disk.Truncate(int64(end) * blockSize)
}

// Size returns the end of the written bytes.
func (f *File) Size() int64 {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.size
}

// Write implements io.Writer: it appends to the file.
func (f *File) Write(p []byte) (int, error) { return f.WriteAt(p, f.Size()) }

// WriteAt implements io.WriterAt.
func (f *File) WriteAt(p []byte, offset int64) (int, error) {
	blocks, err := f.room(offset, len(p))
	if err != nil {
		return 0, err
	}
	n, err := eachRun(blocks, p, offset, f.disk.WriteAt)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.size = max(f.size, offset+int64(n))
	return n, err
}

// room takes the blocks for a write, and returns all blocks of the file.
func (f *File) room(offset int64, bytes int) ([]int32, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return nil, os.ErrClosed
	}
	if bytes == 0 {
		return nil, nil
	}
	last := int((offset + int64(bytes) - 1) / blockSize)
	for len(f.blocks) <= last {
		f.blocks = append(f.blocks, noBlock)
	}
	for i := int(offset / blockSize); i <= last; i++ {
		if f.blocks[i] == noBlock {
			f.blocks[i] = f.pool.acquire()
		}
	}
	return f.blocks, nil
}

// ReadAt implements io.ReaderAt.
func (f *File) ReadAt(p []byte, offset int64) (int, error) {
	f.mu.RLock()
	blocks, size, closed := f.blocks, f.size, f.closed
	f.mu.RUnlock()
	switch {
	case closed:
		return 0, os.ErrClosed
	case offset < 0:
		return 0, errors.New("read before the beginning of a temporary file")
	case offset >= size:
		return 0, io.EOF
	}
	wanted := p[:min(int64(len(p)), size-offset)]
	n, err := eachRun(blocks, wanted, offset, f.disk.ReadAt)
	if err == nil && len(wanted) < len(p) {
		err = io.EOF
	}
	return n, err
}

// eachRun reads or writes p at an offset of a file. It joins adjacent blocks, so that
// there are as few calls of do as possible.
func eachRun(blocks []int32, p []byte, offset int64, do func(p []byte, at int64) (int, error)) (n int, err error) {
	last := offset + int64(len(p))
	for n < len(p) && err == nil {
		at := offset + int64(n)
		i := at / blockSize
		end := i + 1
		for end*blockSize < last && blocks[end] == blocks[end-1]+1 {
			end++
		}
		piece := p[n : min(end*blockSize, last)-offset]
		var done int
		done, err = do(piece, int64(blocks[i])*blockSize+at%blockSize)
		n += done
	}
	return n, err
}

// Close releases the disk space.
func (f *File) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return os.ErrClosed
	}
	f.closed = true
	blocks := f.blocks
	f.blocks = nil
	return f.pool.release(blocks)
}
