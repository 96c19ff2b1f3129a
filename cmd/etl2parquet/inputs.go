package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"unicode"
)

// input is a file to read.
type input struct {
	name string // as the user wrote it, or found below what the user wrote
	path string // absolute
	size int64
	info fs.FileInfo
}

// inputs is what the arguments of a command stand for.
type inputs struct {
	files  []input
	failed int  // arguments, or what they stand for, that are no files to read
	single bool // the arguments are one file, named as such

	seen map[string]bool
	fail func(name string, err error)
}

// findInputs finds the files that arguments stand for: files, folders with
// all their .etl files, and patterns, which not every shell expands. What is
// not there is told to fail. A file that is named twice is taken once.
func findInputs(args []string, fail func(name string, err error)) *inputs {
	in := &inputs{seen: make(map[string]bool), fail: fail}
	for _, arg := range args {
		in.add(arg)
	}
	in.single = in.single && len(args) == 1
	return in
}

func (in *inputs) add(arg string) {
	info, err := os.Stat(arg)
	switch {
	case err == nil:
		in.single = !info.IsDir()
		in.addPath(arg, info)
	case strings.ContainsAny(arg, `*?[`): // which Windows has no name for, so that err may be any
		in.addPattern(arg)
	default:
		in.single = true
		in.failure(arg, err)
	}
}

func (in *inputs) failure(name string, err error) {
	in.failed++
	var file *fs.PathError
	if errors.As(err, &file) {
		err = file.Err
	}
	in.fail(name, err)
}

func (in *inputs) addPattern(pattern string) {
	glob := pattern
	if runtime.GOOS == "windows" {
		glob = foldedPattern(pattern)
	}
	paths, err := filepath.Glob(glob)
	if err == nil && len(paths) == 0 {
		err = errors.New("no file matches")
	}
	if err != nil {
		in.failure(pattern, err)
		return
	}
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			in.failure(path, err)
			continue
		}
		in.addPath(path, info)
	}
}

// foldedPattern makes a pattern match letters of either case.
func foldedPattern(pattern string) string {
	var s strings.Builder
	inClass := false
	for _, r := range pattern {
		lower, upper := unicode.ToLower(r), unicode.ToUpper(r)
		switch {
		case r == '[':
			inClass = true
		case r == ']':
			inClass = false
		case !inClass && lower != upper:
			fmt.Fprintf(&s, "[%c%c]", lower, upper)
			continue
		}
		s.WriteRune(r)
	}
	return s.String()
}

func (in *inputs) addPath(path string, info fs.FileInfo) {
	if info.IsDir() {
		in.addFolder(path)
		return
	}
	in.addFile(path, info)
}

func (in *inputs) addFolder(folder string) {
	found := 0
	tree := os.DirFS(folder) // unlike filepath.WalkDir, follows a link to a folder that is named
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		path := filepath.Join(folder, filepath.FromSlash(name))
		switch {
		case err != nil:
			found++
			in.failure(path, err)
			return nil
		case entry.IsDir() || !strings.EqualFold(filepath.Ext(name), ".etl"):
			return nil
		}
		found++
		info, err := os.Stat(path)
		if err != nil {
			in.failure(path, err)
		} else if !info.IsDir() { // a link to a folder
			in.addFile(path, info)
		}
		return nil
	})
	if err == nil && found == 0 {
		err = errors.New("no .etl file in this folder")
	}
	if err != nil {
		in.failure(folder, err)
	}
}

func (in *inputs) addFile(name string, info fs.FileInfo) {
	if !info.Mode().IsRegular() {
		in.failure(name, errors.New("not a file: a trace must be read from several places at once"))
		return
	}
	path, err := filepath.Abs(name)
	if err != nil {
		in.failure(name, err)
		return
	}
	if in.seen[path] {
		return
	}
	in.seen[path] = true
	in.files = append(in.files, input{name: name, path: path, size: info.Size(), info: info})
}

// size returns the bytes of all files.
func (in *inputs) size() int64 {
	var n int64
	for i := range in.files {
		n += in.files[i].size
	}
	return n
}
