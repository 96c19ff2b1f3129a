package siblings

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/etl2parquet/etl2parquet/internal/base/reach"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
)

// Add adds the files of an input's session to the input as siblings. It ignores other files, and
// copies of the input. It returns the error of a file that cannot be read. from are the files that may
// be opened.
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
	for _, session := range Find(members) {
		addSession(in, session, own, path, from)
	}
	if m := Earlier(members)[own]; m != nil {
		in.Earlier = m.AsEarlier(filepath.Base(path[m]))
	}
	return nil
}

// SessionFiles returns, for each path, the other files of its session, for [Add]. Files that
// cannot be read or are not traces belong to no session.
func SessionFiles(paths []string, from *reach.Files) map[string][]string {
	var members []*Member
	path := make(map[*Member]string)
	for _, p := range paths {
		if m, err := memberAt(p, from); err == nil && m != nil {
			members = append(members, m)
			path[m] = p
		}
	}
	others := make(map[string][]string)
	for _, session := range Find(members) {
		for _, of := range session {
			for _, m := range session {
				if m != of {
					others[path[of]] = append(others[path[of]], path[m])
				}
			}
		}
	}
	return others
}

// addSession adds the members of a session if the input is one of them.
func addSession(in *pipeline.Input, session []*Member, own *Member, path map[*Member]string, from *reach.Files) {
	var last *Member
	var list []pipeline.Sibling
	before, isOwn := 0, false
	for _, m := range session {
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
		in.Siblings, in.Before, in.Recording = list, before, session[0].Recording()
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

// AsEarlier returns a member of a series as the file before an input; name is its file's name.
func (m *Member) AsEarlier(name string) index.Earlier {
	events, buffers := m.Lost()
	return index.Earlier{Name: name, EventsLost: events, BuffersLost: buffers}
}
