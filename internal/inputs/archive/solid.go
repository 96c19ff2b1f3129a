package archive

import (
	"cmp"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"slices"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/base/cab"
	"github.com/etl2parquet/etl2parquet/internal/base/sevenzip"
)

// member is a file in a cabinet or a 7z archive: a part of a folder, which is a compressed stream.
type member struct {
	name         string
	folder       int // -1 for an empty file
	offset, size int64
	modTime      time.Time
	crc          uint32
	hasCRC       bool
}

// solid reads members, folder by folder.
type solid struct {
	w       *walker
	s       *source
	members []member
	open    func(folder int) (r io.Reader, packed func() int64, err error)

	folder int
	r      io.Reader // of the open folder
	at     int64     // position in the open folder
}

func (a *solid) walk() error {
	slices.SortStableFunc(a.members, func(a, b member) int {
		return cmp.Or(cmp.Compare(a.folder, b.folder), cmp.Compare(a.offset, b.offset))
	})
	for i := 0; i < len(a.members); {
		next, err := a.member(i)
		if err != nil {
			return err
		}
		i = next
	}
	return nil
}

// member visits a member and returns the index of the next one to visit. It is in another folder
// if this one is damaged.
func (a *solid) member(i int) (next int, err error) {
	m := &a.members[i]
	r, err := a.content(m)
	if err != nil {
		return a.lost(i, err)
	}
	c, err := a.w.child(a.s, m.name)
	if err != nil {
		return i + 1, a.w.report(c, err)
	}
	c.size, c.modTime, c.stream = m.size, m.modTime, r
	return i + 1, a.w.walk(c)
}

// lost reports, once, that the rest of a member's folder cannot be read. It names a trace, if one
// is lost.
func (a *solid) lost(i int, err error) (next int, _ error) {
	end := i
	for end < len(a.members) && a.members[end].folder == a.members[i].folder {
		end++
	}
	name := a.members[i].name
	for _, m := range a.members[i:end] {
		if TraceName(m.name) {
			name = m.name
			break
		}
	}
	if n := end - i - 1; n > 0 {
		err = fmt.Errorf("%w; %d more files are compressed with it", err, n)
	}
	c, childErr := a.w.child(a.s, name)
	if childErr != nil {
		err = childErr
	}
	return end, a.w.report(c, err)
}

// content reads a member.
func (a *solid) content(m *member) (io.Reader, error) {
	if m.size == 0 {
		return eof{}, nil
	}
	if a.r == nil || m.folder != a.folder {
		r, packed, err := a.open(m.folder)
		if err != nil {
			return nil, err
		}
		a.folder, a.at = m.folder, 0
		a.r = &meter{g: &a.w.guard, r: r, packed: packed}
	}
	n, err := io.CopyN(io.Discard, a.r, m.offset-a.at)
	a.at += n
	if err != nil {
		return nil, unexpected(err)
	}
	return &part{a: a, m: m, left: m.size, sum: crc32.NewIEEE()}, nil
}

// part reads a member to its end, and compares its checksum.
type part struct {
	a    *solid
	m    *member
	left int64
	sum  hash.Hash32
}

var errChecksum = errors.New("the content does not match its checksum")

func (p *part) Read(b []byte) (int, error) {
	if p.left == 0 {
		if p.m.hasCRC && p.sum.Sum32() != p.m.crc {
			return 0, errChecksum
		}
		return 0, io.EOF
	}
	n, err := p.a.r.Read(b[:min(int64(len(b)), p.left)])
	p.a.at += int64(n)
	p.left -= int64(n)
	p.sum.Write(b[:n])
	if err == io.EOF {
		if err = nil; p.left > 0 {
			err = io.ErrUnexpectedEOF
		}
	}
	return n, err
}

type eof struct{}

func (eof) Read([]byte) (int, error) { return 0, io.EOF }

func (w *walker) walkCab(s *source, at io.ReaderAt, size int64) error {
	c, err := cab.Open(at, size)
	if err != nil {
		return w.report(s, err)
	}
	var members []member
	var spans []span
	for i, f := range c.Files() {
		members = append(members, member{name: f.Name, folder: f.Folder, offset: f.Offset, size: f.Size, modTime: f.ModTime})
		if f.Folder >= 0 {
			spans = append(spans, span{i, f.Folder, f.Offset, f.Offset + f.Size})
		}
	}
	if bad := overlapping(spans); len(bad) > 0 {
		if err := w.report(s, overlapError(len(bad))); err != nil {
			return err
		}
		kept := members[:0]
		for i, m := range members {
			if !bad[i] {
				kept = append(kept, m)
			}
		}
		members = kept
	}
	a := &solid{w: w, s: s, members: members, open: func(i int) (io.Reader, func() int64, error) {
		f, err := c.Folder(i)
		if err != nil {
			return nil, nil, err
		}
		return f, f.Compressed, nil
	}}
	return a.walk()
}

func (w *walker) walk7z(s *source, at io.ReaderAt, size int64) error {
	const header = 64 << 20
	z, err := sevenzip.Open(at, size, sevenzip.Limits{Files: w.limits.Entries, Header: header, Window: w.limits.Window})
	if err != nil {
		return w.report(s, w.limited(err))
	}
	var members []member
	for _, f := range z.Files() {
		if !f.Dir {
			members = append(members, member{f.Name, f.Folder, f.Offset, f.Size, f.ModTime, f.CRC, f.HasCRC})
		}
	}
	a := &solid{w: w, s: s, members: members, open: func(i int) (io.Reader, func() int64, error) {
		f, err := z.Folder(i)
		if err != nil {
			return nil, nil, w.limited(err)
		}
		packed := z.Packed(i)
		return f, func() int64 { return packed }, nil
	}}
	return a.walk()
}

// limited converts an error of package sevenzip about a limit to a LimitError.
func (w *walker) limited(err error) error {
	var window *sevenzip.WindowError
	var files *sevenzip.FilesError
	switch {
	case errors.As(err, &window):
		return &LimitError{LimitWindow, window.Limit, fmt.Sprintf("it needs a window of %d bytes", window.Window)}
	case errors.As(err, &files):
		return w.entriesError()
	}
	return err
}
