package inputs

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
)

// Planned is a file of a plan.
type Planned struct {
	Name   string // as it was named or found, with slashes
	Size   int64
	Traces map[string]string // the names in the dataset, by [Trace.Inner]
}

// FindPlanned finds the files of a plan. Files that do not exist or have changed are
// reported to fail.
func FindPlanned(files []Planned, urls URLs, fail func(name string, err error)) *List {
	in := &List{seen: make(map[string]*File), urls: urls, fail: fail}
	for i := range files {
		in.addPlanned(&files[i])
	}
	return in
}

func (in *List) addPlanned(p *Planned) {
	name := p.Name
	if !IsURL(name) {
		name = filepath.FromSlash(name)
	}
	info, size, err := in.look(name)
	switch {
	case err != nil:
		in.failure(name, fmt.Errorf("it is in the plan: %w", WithoutPath(name, err)))
		return
	case size != p.Size:
		in.failure(name, fmt.Errorf("it has %d bytes, and had %d when the plan was made: make the plan again", size, p.Size))
		return
	}
	count, absent := len(in.Files), len(in.Absent)
	if info == nil {
		in.addRemote(name)
	} else {
		in.addFile(name, info, false)
	}
	switch {
	case len(in.Absent) > absent:
		return // not a file
	case len(in.Files) == count:
		in.failure(name, errors.New("it is in the plan twice"))
		return
	}
	in.Files[count].Planned = p.Traces
}

// look returns the size of a file, and its file information unless it is on a server.
func (in *List) look(name string) (fs.FileInfo, int64, error) {
	f := in.urls[name]
	if f == nil {
		info, err := in.from.Stat(name)
		if err != nil {
			return nil, 0, err
		}
		return info, info.Size(), nil
	}
	switch {
	case f.err != nil:
		return nil, 0, f.err
	case !f.single:
		return nil, 0, errors.New("it is not a file")
	}
	return nil, f.files[0].Size, nil
}
