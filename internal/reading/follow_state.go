package reading

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/etl2parquet/etl2parquet/internal/reading/growing"
)

// followStateVersion is the version of the form of state files.
const followStateVersion = 1

// followState is the contents of a state file.
type followState struct {
	path  string // of the state file; "" if there is none
	begun bool   // rows precede the next ones, so that these have no header of lines

	Version int                    `json:"version"`
	Files   map[string]*stateOfOne `json:"files"` // by absolute path
}

// stateOfOne says how far a trace has been written.
type stateOfOne struct {
	Recording string `json:"recording"` // identifies the session that writes the file
	position
	Writing *position `json:"writing,omitempty"` // where the rows end that were being written
}

// position is the end of a buffer.
type position struct {
	Buffers  int   `json:"buffers"`  // up to it, the header's included
	Offset   int64 `json:"offset"`   // of its end in the file
	Sequence int64 `json:"sequence"` // its number in the session
}

func positionOf(w *growing.Window) position {
	return position{w.To, w.End, w.Last.SequenceNumber}
}

// readFollowState reads a state file. One that does not exist, and none, are empty.
func readFollowState(path string) (*followState, error) {
	empty := &followState{path: path, Version: followStateVersion, Files: make(map[string]*stateOfOne)}
	if path == "" {
		return empty, nil
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return empty, nil
	}
	if err != nil {
		return nil, err
	}
	s := &followState{path: path}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(s); err != nil || s.Version != followStateVersion || s.Files == nil {
		return nil, fmt.Errorf("%s is not a state of this version of the program; name another file for the state", path)
	}
	for name, one := range s.Files {
		if one == nil || one.Buffers < 0 || one.Offset < 0 {
			return nil, fmt.Errorf("%s is damaged: it says nothing of %s; name another file for the state", path, name)
		}
	}
	return s, nil
}

func (s *followState) has(path string) bool { return s.Files[path] != nil }

// resume makes a file go on where the state says, if it is the file of the state.
func (s *followState) resume(file *followedFile, say func(string, ...any)) error {
	one := s.Files[file.path]
	refuse := func(why string) error {
		return fmt.Errorf("%w: %s; remove %s to begin with the first buffer, or name another file for the state", ErrOtherState, why, s.path)
	}
	if one.Recording != file.trace.Recording() {
		return refuse("another session has written this one")
	}
	if one.Buffers > 0 {
		last, ok := file.trace.Last(one.Buffers)
		if !ok {
			return refuse(fmt.Sprintf("%d buffers were written from it, and this one has fewer", one.Buffers))
		}
		if last.Offset+int64(last.Size) != one.Offset || last.Header.SequenceNumber != one.Sequence {
			return refuse(fmt.Sprintf("the last of %d buffers is not the one that was written", one.Buffers))
		}
	}
	file.trace.Skip(one.Buffers)
	s.begun = s.begun || one.Buffers > 0
	say("%s: going on after %d buffers, at offset %#x", file.name, one.Buffers, one.Offset)
	if w := one.Writing; w != nil {
		say("%s: the last run ended while it wrote: records of the buffers from %#x up to %#x may come twice", file.name, one.Offset, w.Offset)
	}
	return nil
}

// begin notes which rows are written next.
func (s *followState) begin(files []*followedFile) error {
	return s.note(files, func(one *stateOfOne, w *growing.Window) {
		next := positionOf(w)
		one.Writing = &next
	})
}

// end notes that rows have been written.
func (s *followState) end(files []*followedFile) error {
	return s.note(files, func(one *stateOfOne, w *growing.Window) {
		one.position, one.Writing = positionOf(w), nil
	})
}

// note changes the states of files, and writes the state file.
func (s *followState) note(files []*followedFile, change func(*stateOfOne, *growing.Window)) error {
	if s.path == "" {
		return nil
	}
	for _, file := range files {
		recording := file.trace.Recording()
		if one := s.Files[file.path]; one == nil || one.Recording != recording {
			s.Files[file.path] = &stateOfOne{Recording: recording}
		}
		change(s.Files[file.path], file.window)
	}
	return s.write()
}

// temporarySuffix ends the name of the state file until it is complete. A killed process may leave it.
const temporarySuffix = ".tmp"

// write replaces the state file: a reader sees the old or the new one, also after a crash.
func (s *followState) write() error {
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	file, err := os.Create(s.path + temporarySuffix)
	if err != nil {
		return err
	}
	_, err = file.Write(append(text, '\n'))
	if err = errors.Join(err, file.Sync(), file.Close()); err == nil {
		err = os.Rename(file.Name(), s.path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}
