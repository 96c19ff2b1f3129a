package reading

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/partname"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/reading/growing"
)

// followedFile is a file that is followed.
type followedFile struct {
	name    string // as the user named it, or as it was found
	column  string // its value in the column trace
	path    string // absolute
	trace   *growing.Trace
	window  *growing.Window // its next buffers; nil if there are none
	resumes bool            // what the state says of it has not been used yet
	refused string          // why it cannot be read, as was said
}

// largeWindow is the size of a window after which another one may be there already.
const largeWindow = 32 << 20

// isLarge reports whether files have more than a moment's buffers: then nothing is gained by waiting.
func isLarge(files []*followedFile) bool {
	return slices.ContainsFunc(files, func(f *followedFile) bool { return f.window.End-f.window.Offset >= largeWindow })
}

// checkInputs checks that inputs are files or folders of this machine.
func (f *follower) checkInputs() error {
	for _, input := range f.inputs {
		if input == inputs.Stdin || inputs.IsURL(input) {
			return fmt.Errorf("%s %w: only files on this machine can be", input, ErrNotFollowed)
		}
	}
	if len(f.inputs) == 1 {
		info, err := os.Stat(f.inputs[0])
		f.one = err == nil && !info.IsDir() || err != nil && !inputs.IsPattern(f.inputs[0])
	}
	return nil
}

// look finds new files, and new buffers in all.
func (f *follower) look(ctx context.Context) error {
	if time.Since(f.found) >= findInterval {
		f.found = time.Now()
		if err := f.find(); err != nil {
			return err
		}
	}
	for _, file := range f.files {
		if err := f.poll(ctx, file); err != nil {
			return err
		}
	}
	return nil
}

// find looks for files that are not followed yet.
func (f *follower) find() error {
	for _, input := range f.inputs {
		path, err := inputs.LocalPath(input)
		if err != nil {
			return err
		}
		info, err := os.Stat(path)
		isFolder := err == nil && info.IsDir() || err != nil && inputs.IsPattern(path)
		switch {
		case !isFolder:
			if f.add(input, path); errors.Is(err, fs.ErrNotExist) && !f.absent[path] {
				f.say("%s does not exist yet; waiting for it", input)
			}
			f.absent[path] = true // said, or not to be said
		default:
			list := inputs.Find([]string{input}, nil, nil, func(string, error) {})
			for _, file := range list.Files {
				if strings.EqualFold(filepath.Ext(file.Path), ".etl") {
					f.add(file.Name, file.Path)
				}
			}
		}
	}
	return nil
}

// add follows a file.
func (f *follower) add(name, path string) {
	path = absolute(path)
	if f.byPath[path] != nil {
		return
	}
	file := &followedFile{name: name, path: path, column: partname.OfTraces([]string{path})[0], resumes: f.state.has(path)}
	for _, other := range f.files {
		if partname.Fold(other.column) == partname.Fold(file.column) {
			file.column = partname.Hashed(path)
		}
	}
	file.trace = growing.NewTrace(path, 0, func(text string) { f.say("%s %s", name, text) })
	f.files, f.byPath[path] = append(f.files, file), file
}

// poll looks for new buffers of a file. An error of one of several files does not end the others.
func (f *follower) poll(ctx context.Context, file *followedFile) error {
	if _, err := file.trace.Poll(); err != nil {
		err = &facts.InputError{Input: file.name, Err: inputs.WithoutPath(file.path, err)}
		isFinal := errors.Is(err, growing.ErrCircular) || errors.Is(err, growing.ErrBackup) || errors.Is(err, decode.ErrNotETL)
		if f.one && isFinal {
			return err
		}
		if text := err.Error(); text != file.refused {
			f.say("%s", text)
			file.refused = text
		}
		return nil
	}
	if file.resumes && file.trace.Recording() != "" {
		file.resumes = false
		if err := f.state.resume(file, f.say); err != nil {
			return &facts.InputError{Input: file.name, Err: err}
		}
	}
	if file.resumes { // its header is not there yet
		return nil
	}
	return file.trace.Learn(ctx, &f.options.Trace.Options)
}

// nextWindows finds the next buffers of the files, and returns the files that have some.
func (f *follower) nextWindows() (list []*followedFile, err error) {
	for _, file := range f.files {
		if file.resumes {
			continue
		}
		if file.window, err = file.trace.Next(); err != nil {
			return nil, &facts.InputError{Input: file.name, Err: err}
		}
		if file.window != nil {
			list = append(list, file)
		}
	}
	return list, nil
}

// open opens the window of a file as a trace.
func (f *follower) open(ctx context.Context, file *followedFile) (*Trace, error) {
	source, err := pipeline.OpenSource(ctx, file.window.Input, &f.options.Trace.Options)
	if err != nil {
		return nil, &facts.InputError{Input: file.name, Err: err}
	}
	source.Rename(file.column)
	for _, b := range file.window.Damaged(source.Index) {
		f.say("%s: the buffer at %#x is damaged; its events up to the damage are written", file.name, b.Offset)
	}
	return &Trace{source: source, options: f.options.Trace, named: file.name}, nil
}
