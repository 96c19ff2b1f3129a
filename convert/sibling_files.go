package convert

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/etl2parquet/etl2parquet/internal/inputs/siblings"
)

// AddSiblings gives an input those of some files as siblings that are of its session. Others, and
// copies of the input, are ignored. An error is that of a file that cannot be read.
func (in *Input) AddSiblings(paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	own, err := readMember(in.Trace, in.Size)
	if err != nil || own == nil {
		return err
	}
	members := []*siblings.Member{own}
	path := make(map[*siblings.Member]string)
	for _, p := range paths {
		m, err := memberAt(p)
		if err != nil {
			return err
		}
		if m != nil {
			members = append(members, m)
			path[m] = p
		}
	}
	for _, session := range siblings.Find(members) {
		in.addSession(session, own, path)
	}
	if m := siblings.Earlier(members)[own]; m != nil {
		in.Earlier = earlierOf(m, filepath.Base(path[m]))
	}
	return nil
}

// SessionFiles returns, for each of some files, the others that are of its session, to be given
// to [Input.AddSiblings]. Files that cannot be read or are no traces are of none.
func SessionFiles(paths []string) map[string][]string {
	var members []*siblings.Member
	path := make(map[*siblings.Member]string)
	for _, p := range paths {
		if m, err := memberAt(p); err == nil && m != nil {
			members = append(members, m)
			path[m] = p
		}
	}
	others := make(map[string][]string)
	for _, session := range siblings.Find(members) {
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
func (in *Input) addSession(session []*siblings.Member, own *siblings.Member, path map[*siblings.Member]string) {
	var last *siblings.Member
	var list []Sibling
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
		list = append(list, Sibling{Name: filepath.Base(path[m]), Size: m.Size, ID: m.ID, Open: func(context.Context) (SiblingFile, error) {
			return openSibling(path[m])
		}})
	}
	if isOwn {
		in.Siblings, in.Before = list, before
	}
}

// memberAt reads the head of a file. The result is nil if it can be of no session.
func memberAt(path string) (*siblings.Member, error) {
	f, err := openSibling(path)
	if err != nil {
		return nil, err
	}
	m, err := readMember(f, f.Size())
	return m, errors.Join(err, f.Close())
}

func readMember(r io.ReaderAt, size int64) (*siblings.Member, error) {
	head := make([]byte, min(size, siblings.HeadSize))
	if n, err := r.ReadAt(head, 0); n < len(head) {
		return nil, err
	}
	m, _ := siblings.Read(head, size)
	return m, nil
}

// siblingFile is a file on this machine.
type siblingFile struct {
	*os.File
	size int64
}

func (f *siblingFile) Size() int64 { return f.size }

func openSibling(path string) (*siblingFile, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &siblingFile{f, info.Size()}, nil
}
