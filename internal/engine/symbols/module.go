package symbols

import (
	"fmt"
	"os"
	"sync"

	"github.com/etl2parquet/etl2parquet/internal/engine/symbols/pdb"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols/pe"
)

// Function is a function of an image.
type Function struct {
	Name   string // readable: only the name of a decorated name
	Symbol string // the name in the symbols
	RVA    uint32 // of its first byte, relative to that of the image
}

// module is the symbols of an image. They are located when the first address is looked up, and
// their file is reopened if it was closed since.
type module struct {
	set   *Set
	image Image

	mu        sync.Mutex
	sought    bool
	at        place
	err       error // why there are none, or what is wrong with them
	file      *os.File
	source    source               // nil if the file is not open
	broken    bool                 // it cannot be opened
	functions map[uint32]*Function // by address; nil if there is none
	byStart   map[uint32]*Function
	addresses int // that were looked up
}

// source is a file with symbols, open.
type source interface {
	// lookup returns the name and the first byte of the function that contains an address.
	lookup(rva uint32) (name string, start uint32, ok bool, err error)
}

type pdbSource struct{ *pdb.File }

func (s pdbSource) lookup(rva uint32) (string, uint32, bool, error) {
	f, ok, err := s.Lookup(rva)
	return f.Name, f.RVA, ok, err
}

type exports struct{ *pe.File }

func (s exports) lookup(rva uint32) (string, uint32, bool, error) {
	return s.Lookup(rva)
}

// maxAddresses bounds the cached addresses of a module; at the limit the cache is emptied.
const maxAddresses = 1 << 16

// function returns the function that contains an address, or nil.
func (m *module) function(rva uint32) *Function {
	m.mu.Lock()
	defer m.mu.Unlock()
	f, known := m.functions[rva]
	if known {
		return f
	}
	m.locate()
	if m.at.File != nil {
		f = m.look(rva)
	}
	if len(m.functions) == maxAddresses {
		clear(m.functions)
	}
	m.functions[rva] = f
	m.addresses++
	return f
}

// locate looks for the file, once.
func (m *module) locate() {
	if !m.sought {
		m.sought = true
		m.at, m.err = m.set.locate(&m.image)
	}
}

// look looks up an address in the file. It stores an error, which affects only that address.
func (m *module) look(rva uint32) *Function {
	if m.source == nil && !m.broken {
		if err := m.open(); err != nil {
			m.err, m.broken = err, true
		}
	}
	if m.broken {
		return nil
	}
	name, start, ok, err := m.source.lookup(rva)
	if err != nil && m.err == nil {
		m.err = fmt.Errorf("%s: %w", m.at.Path, err)
	}
	if !ok {
		return nil
	}
	if f := m.byStart[start]; f != nil && f.Symbol == name {
		return f
	}
	f := &Function{Name: readableName(name), Symbol: name, RVA: start}
	m.byStart[start] = f
	return f
}

// open opens the file.
func (m *module) open() error {
	file, size, err := openFile(m.at.Path)
	if err != nil {
		return err
	}
	switch m.at.kind {
	case FromPDB:
		var f *pdb.File
		f, err = pdb.Open(file, size)
		m.source = pdbSource{f}
	default:
		var f *pe.File
		f, err = pe.Open(file, size)
		m.source = exports{f}
	}
	if err != nil {
		m.source = nil
		file.Close() // it was only read: nothing can be lost
		return fmt.Errorf("%s: %w", m.at.Path, err)
	}
	m.file = file
	m.set.opened(m)
	return nil
}

// close closes the file, which was only read.
func (m *module) close() {
	m.file.Close()
	m.file, m.source = nil, nil
}

func openFile(path string) (*os.File, int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}
