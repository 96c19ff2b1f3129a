package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/etl2parquet/etl2parquet/internal/archive"
	"github.com/etl2parquet/etl2parquet/internal/remote"
)

// Standard input as an argument, and as a path that is the same on all systems.
const (
	stdinArgument = "-"
	stdinPath     = "/dev/stdin"
)

// wildcards are the characters that make an argument a pattern.
const wildcards = "*?["

// archiveEndings select the archives among the files of a folder. The kind of an
// archive is detected from its contents; so is that of any file named directly.
var archiveEndings = []string{".zip", ".diagsession", ".gz", ".tgz", ".zst", ".tzst", ".xz", ".txz", ".bz2", ".tbz2", ".tar", ".7z", ".cab"}

// input is a file to read, here or on a server, or standard input.
type input struct {
	name    string                                  // as the user wrote it, or found below what the user wrote
	path    string                                  // absolute, or a URL
	size    int64                                   // -1 if unknown
	info    fs.FileInfo                             // of a local file, else nil
	open    func(context.Context) (*content, error) // of a file on a server, else nil
	modTime time.Time                               // zero if unknown
	trace   string                                  // name in the dataset, if the file itself is a trace
	folder  bool                                    // found in a folder, not named by the user
	order   int                                     // position among the inputs

	planned map[string]string // names of its traces, by their paths in it; nil without a plan
}

func (in *input) stdin() bool { return in.info == nil && in.open == nil }

// inputs are the files that the arguments of a command stand for.
type inputs struct {
	files  []input
	absent []absent // arguments and files that cannot be read
	single bool     // the only argument is the name of a file
	small  int      // files below smallTrace; of a plan, those of all shards

	seen map[string]bool   // paths and URLs
	urls map[string]*found // the files that each URL stands for
	fail func(name string, err error)
}

// absent is an argument, or a file it stands for, that cannot be read.
type absent struct {
	name   string
	err    error
	before int // order of the input that follows it
}

// findInputs finds the files that the arguments stand for: a file, a folder with
// all its traces and archives, or a pattern, because not every shell expands
// them. Paths in the list are files and folders, never patterns. For URLs the
// servers have been asked before. Arguments that do not exist are reported to
// fail. A file that is named twice is taken once.
func findInputs(args, list []string, urls map[string]*found, fail func(name string, err error)) *inputs {
	in := &inputs{seen: make(map[string]bool), urls: urls, fail: fail}
	for _, arg := range args {
		in.add(arg)
	}
	for _, path := range list {
		in.addNamed(path)
	}
	in.single = in.single && len(args)+len(list) == 1
	for i := range in.files {
		if size := in.files[i].size; size >= 0 && size < smallTrace && !in.files[i].stdin() {
			in.small++
		}
	}
	return in
}

func (in *inputs) add(arg string) {
	if in.urls[arg] != nil {
		in.addRemote(arg)
		return
	}
	info, err := os.Stat(arg)
	switch {
	case arg == "":
		in.failure(`""`, errors.New("an input without a name: is a variable of the command line empty?"))
	case arg == stdinArgument:
		in.single = true
		if !in.seen[stdinPath] {
			in.seen[stdinPath] = true
			in.files = append(in.files, input{name: "stdin", path: stdinPath, order: len(in.files)})
		}
	case err == nil:
		in.single = !info.IsDir()
		in.addPath(arg, info)
	case strings.ContainsAny(arg, wildcards): // whatever err is: on Windows such a name is invalid
		in.addPattern(arg)
	default:
		in.single = true
		in.failure(arg, err)
	}
}

// addRemote adds the files that a URL stands for.
func (in *inputs) addRemote(url string) {
	f := in.urls[url]
	in.single = f.single
	if f.err != nil {
		in.failure(remote.Name(url), f.err)
		return
	}
	for _, file := range f.files {
		if !in.seen[file.path] {
			in.seen[file.path] = true
			file.order = len(in.files)
			in.files = append(in.files, file)
		}
	}
}

func (in *inputs) addNamed(path string) {
	if in.urls[path] != nil {
		in.addRemote(path)
		return
	}
	info, err := os.Stat(path)
	if err != nil {
		in.failure(path, err)
		return
	}
	in.addPath(path, info)
}

// longestPath bounds the lines of a list, in bytes.
const longestPath = 64 << 10

// readList reads paths, one a line.
func readList(r io.Reader) ([]string, error) {
	var list []string
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, longestPath)
	for lines.Scan() {
		path := lines.Text() // without "\n" or "\r\n"
		if len(list) == 0 {
			path = strings.TrimPrefix(path, "\ufeff")
		}
		if path != "" {
			list = append(list, path)
		}
	}
	return list, lines.Err()
}

func (in *inputs) failure(name string, err error) {
	var file *fs.PathError
	if errors.As(err, &file) {
		err = file.Err
	}
	in.absent = append(in.absent, absent{name, err, len(in.files)})
	in.fail(name, err)
}

func (in *inputs) addPattern(pattern string) {
	glob := pattern
	if runtime.GOOS == "windows" {
		volume := filepath.VolumeName(pattern)
		glob = volume + foldedPattern(pattern[len(volume):])
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
		in.addNamed(path)
	}
}

// foldedPattern makes a Windows pattern, without its volume, match letters of
// either case. The folders before the first wildcard stay as they are:
// [filepath.Glob] opens them by name, and Windows ignores case in names.
func foldedPattern(pattern string) string {
	first := strings.IndexAny(pattern, wildcards)
	if first < 0 {
		return pattern
	}
	first = strings.LastIndexAny(pattern[:first], `\/`) + 1
	var s strings.Builder
	s.WriteString(pattern[:first])
	for rest := []rune(pattern[first:]); len(rest) > 0; {
		if rest[0] != '[' {
			s.WriteString(foldedLetter(rest[0]))
			rest = rest[1:]
			continue
		}
		end := slices.Index(rest, ']')
		if end < 0 { // an invalid pattern: filepath.Glob reports it
			return s.String() + string(rest)
		}
		fmt.Fprintf(&s, "[%s]", foldedClass(rest[1:end]))
		rest = rest[end+1:]
	}
	return s.String()
}

func foldedLetter(r rune) string {
	if lower, upper := unicode.ToLower(r), unicode.ToUpper(r); lower != upper {
		return fmt.Sprintf("[%c%c]", lower, upper)
	}
	return string(r)
}

// foldedClass adds to a character class its letters and ranges of letters in the other case.
func foldedClass(class []rune) string {
	var s strings.Builder
	s.WriteString(string(class))
	for len(class) > 0 {
		size := 1
		if len(class) > 2 && class[1] == '-' {
			size = 3
		}
		from, to := otherCase(class[0]), otherCase(class[size-1])
		if from != class[0] && to != class[size-1] && from <= to { // [A-z] has both cases
			fmt.Fprintf(&s, "%c-%c", from, to)
		}
		class = class[size:]
	}
	return s.String()
}

func otherCase(r rune) rune {
	if lower := unicode.ToLower(r); lower != r {
		return lower
	}
	return unicode.ToUpper(r)
}

func (in *inputs) addPath(path string, info fs.FileInfo) {
	if info.IsDir() {
		in.addFolder(path)
		return
	}
	in.addFile(path, info, false)
}

// isArchiveName reports whether a file in a folder is read as an archive.
func isArchiveName(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(archiveEndings, func(ending string) bool { return strings.HasSuffix(name, ending) })
}

func (in *inputs) addFolder(folder string) {
	found := 0
	tree := os.DirFS(folder) // unlike filepath.WalkDir, follows a link if folder is one
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		path := filepath.Join(folder, filepath.FromSlash(name))
		switch {
		case err != nil:
			found++
			in.failure(path, err)
			return nil
		case entry.IsDir() || !archive.TraceName(name) && !isArchiveName(name):
			return nil
		}
		found++
		info, err := os.Stat(path)
		if err != nil {
			in.failure(path, err)
		} else if !info.IsDir() { // else a link to a folder, which is not followed
			in.addFile(path, info, true)
		}
		return nil
	})
	if err == nil && found == 0 {
		err = errors.New("no .etl file and no archive in this folder")
	}
	if err != nil {
		in.failure(folder, err)
	}
}

func (in *inputs) addFile(name string, info fs.FileInfo, folder bool) {
	if !info.Mode().IsRegular() {
		in.failure(name, errors.New("not a regular file: a trace is read at several positions at once; for a pipe, name - and connect it to standard input"))
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
	in.files = append(in.files, input{name: name, path: path, size: info.Size(), modTime: info.ModTime(), info: info, folder: folder, order: len(in.files)})
}

// size returns the sum of the known sizes.
func (in *inputs) size() int64 {
	var n int64
	for i := range in.files {
		n += max(0, in.files[i].size)
	}
	return n
}
