package siblings

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/base/reach"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
)

// Add adds the siblings of an input among files to the input, and unless it has a place, its place
// among them. It ignores other files, and copies of the input. It returns the error of a file that
// cannot be read. from are the files that may be opened.
func Add(in *pipeline.Input, paths []string, from *reach.Files) error {
	if len(paths) == 0 {
		return nil
	}
	own, err := readMember(in.Trace, in.Size)
	if err != nil || own == nil {
		return err
	}
	members := []*Member{own}
	path := make(map[*Member]string)
	for _, p := range paths {
		m, err := memberAt(p, from)
		if err != nil {
			return err
		}
		if m != nil {
			members = append(members, m)
			path[m] = p
		}
	}
	for _, group := range Find(members) {
		addSiblings(in, group, own, path, from)
	}
	if in.Place == (index.Place{}) {
		for _, m := range Unclear(members) {
			if m == own {
				m.Look(in.Trace, in.Size)
			} else {
				m.lookAt(path[m], from)
			}
		}
		in.Place = Places(members)[own]
	}
	return nil
}

// Among is what files are to each other.
type Among struct {
	Siblings map[string][]string    // by path: the paths of its siblings, for [Add]
	Places   map[string]index.Place // by path
}

// Files returns what files are to each other. Those that cannot be read or are not traces are alone.
func Files(paths []string, from *reach.Files) *Among {
	var members []*Member
	path := make(map[*Member]string)
	for _, p := range paths {
		if m, err := memberAt(p, from); err == nil && m != nil {
			members = append(members, m)
			path[m] = p
		}
	}
	a := &Among{make(map[string][]string), make(map[string]index.Place)}
	for _, group := range Find(members) {
		for _, of := range group {
			for _, m := range group {
				if m != of {
					a.Siblings[path[of]] = append(a.Siblings[path[of]], path[m])
				}
			}
		}
	}
	for _, m := range Unclear(members) {
		m.lookAt(path[m], from)
	}
	for m, place := range Places(members) {
		a.Places[path[m]] = place
	}
	return a
}

// Look reads what the head of a trace does not say about its place. What it cannot read stays unknown.
func (m *Member) Look(r io.ReaderAt, size int64) {
	const start = 256 << 10
	read := func(size int64) {
		if f, err := decode.NewFile(io.NewSectionReader(r, 0, size), size); err == nil {
			m.Know(index.EndsOf(f))
		}
	}
	if m.stopped && !m.newFile && size > start { // only what kinds of event it has is unclear
		if read(start); m.ends == nil || !m.ends.Rundown {
			return
		}
	}
	read(size)
}

func (m *Member) lookAt(path string, from *reach.Files) {
	f, err := openSibling(path, from)
	if err != nil {
		return // reading the trace reports it
	}
	m.Look(f, f.Size())
	_ = f.Close() // it was only read
}

// addSiblings adds the members of a group if the input is one of them.
func addSiblings(in *pipeline.Input, group []*Member, own *Member, path map[*Member]string, from *reach.Files) {
	var last *Member
	var list []pipeline.Sibling
	before, isOwn := 0, false
	for _, m := range group {
		order := m.Compare(own)
		isOwn = isOwn || m == own
		if order == 0 || last != nil && m.Compare(last) == 0 {
			continue // itself, or a copy
		}
		last = m
		if order < 0 {
			before++
		}
		list = append(list, pipeline.Sibling{Name: filepath.Base(path[m]), Size: m.Size, ID: m.ID, Open: func(context.Context) (index.SiblingFile, error) {
			return openSibling(path[m], from)
		}})
	}
	if isOwn {
		in.Siblings, in.Before = list, before
	}
}

// memberAt reads the head of a file. It returns nil if the file can belong to no session.
func memberAt(path string, from *reach.Files) (*Member, error) {
	f, err := openSibling(path, from)
	if err != nil {
		return nil, err
	}
	m, err := readMember(f, f.Size())
	return m, errors.Join(err, f.Close())
}

func readMember(r io.ReaderAt, size int64) (*Member, error) {
	head := make([]byte, min(size, HeadSize))
	if n, err := r.ReadAt(head, 0); n < len(head) {
		return nil, err
	}
	m, _ := Read(head, size)
	return m, nil
}

// siblingFile is a file on this machine.
type siblingFile struct {
	*os.File
	size int64
}

func (f *siblingFile) Size() int64 { return f.size }

func openSibling(path string, from *reach.Files) (*siblingFile, error) {
	f, err := from.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &siblingFile{f, info.Size()}, nil
}
