package inputs

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/base/reach"
	"github.com/etl2parquet/etl2parquet/internal/base/remote"
)

// archiveEndings select the archives among the files of a folder. The kind of an
// archive is detected from its contents; so is that of any file named directly.
var archiveEndings = []string{".zip", ".diagsession", ".gz", ".tgz", ".zst", ".tzst", ".xz", ".txz", ".bz2", ".tbz2", ".tar", ".7z", ".cab"}

// SmallTrace is the size below which a trace is small: many small traces share files.
const SmallTrace = 16 << 20

// List is the files that the arguments of a command stand for.
type List struct {
	Files  []*File
	Absent []Absent // arguments and files that cannot be read
	Single bool     // the only argument is the name of a file
	Small  int      // files smaller than SmallTrace; for a plan, in all shards

	LeftOut LeftOut // files in folders that are not read

	arg  string           // the argument being looked up; "" for a path in the list
	seen map[string]*File // by path or URL
	urls URLs
	fail func(name string, err error)
	from *reach.Files
}

// Absent is an argument, or a file it stands for, that cannot be read.
type Absent struct {
	Name   string
	Err    error
	Before int // order of the file that follows it
}

// Find finds the files that the arguments stand for: a file, a folder with all its
// traces and archives, or a pattern, because not every shell expands patterns. Paths
// in the list are files and folders, never patterns. See [LocalPath] for the forms of a
// path. The URLs must have been looked up with [Servers.Find]. Arguments that do not
// exist are reported to fail. A file named twice is listed once.
func Find(args, list []string, urls URLs, fail func(name string, err error)) *List {
	return FindIn(nil, args, list, urls, fail)
}

// FindIn is Find among the files that may be opened; see [List.From].
func FindIn(from *reach.Files, args, list []string, urls URLs, fail func(name string, err error)) *List {
	in := &List{seen: make(map[string]*File), urls: urls, fail: fail, from: from}
	for _, in.arg = range args {
		in.add(in.arg)
	}
	in.arg = ""
	for _, path := range list {
		in.addNamed(path)
	}
	in.Single = in.Single && len(args)+len(list) == 1
	for _, f := range in.Files {
		if f.Size >= 0 && f.Size < SmallTrace && !f.IsPipe() {
			in.Small++
		}
	}
	return in
}

func (in *List) add(arg string) {
	if in.urls[arg] != nil {
		in.addRemote(arg)
		return
	}
	path, err := LocalPath(arg)
	var info fs.FileInfo
	if err == nil {
		info, err = in.from.Stat(path)
	}
	switch {
	case arg == "":
		in.failure(`""`, errors.New("an input without a name: is a variable of the command line empty?"))
	case arg == Stdin:
		in.Single = true
		in.append(&File{Name: "stdin", Path: StdinPath})
	case err == nil:
		in.Single = !info.IsDir()
		in.addPath(path, info)
	case path != "" && IsPattern(path): // whatever err is: Windows rejects such a name
		in.addPattern(arg, path)
	default:
		in.Single = true
		in.failure(arg, otherScheme(arg, err))
	}
}

// otherScheme returns the error for an input that does not exist. It mentions the known schemes if the
// name looks like a URL.
func otherScheme(name string, err error) error {
	if strings.Contains(name, "://") && errors.Is(err, fs.ErrNotExist) {
		return errors.New("no such file; URLs begin with https://, http://, s3:// or file:///")
	}
	return err
}

// addRemote adds the files that a URL stands for.
func (in *List) addRemote(url string) {
	f := in.urls[url]
	in.Single = f.single
	if f.err != nil {
		in.failure(remote.Name(url), f.err)
		return
	}
	in.LeftOut = append(in.LeftOut, f.left...)
	for _, file := range f.files {
		in.append(file)
	}
}

func (in *List) addNamed(path string) {
	if in.urls[path] != nil {
		in.addRemote(path)
		return
	}
	local, err := LocalPath(path)
	if err != nil {
		in.failure(path, err)
		return
	}
	info, err := in.from.Stat(local)
	if err != nil {
		in.failure(path, err)
		return
	}
	in.addPath(local, info)
}

// longestPath bounds the lines of a list, in bytes.
const longestPath = 64 << 10

// ReadList reads paths, one per line.
func ReadList(r io.Reader) ([]string, error) {
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

func (in *List) failure(name string, err error) {
	var file *fs.PathError
	if errors.As(err, &file) {
		err = file.Err
	}
	in.Absent = append(in.Absent, Absent{name, err, len(in.Files)})
	in.fail(name, err)
}

func (in *List) addPath(path string, info fs.FileInfo) {
	if info.IsDir() {
		in.addFolder(path)
		return
	}
	in.addFile(path, info, false)
}

// IsArchiveName reports whether a file of this name in a folder is read as an archive.
func IsArchiveName(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(archiveEndings, func(ending string) bool { return strings.HasSuffix(name, ending) })
}

func (in *List) addFile(name string, info fs.FileInfo, folder bool) {
	if !info.Mode().IsRegular() {
		in.addSpecial(name, info)
		return
	}
	path, err := filepath.Abs(name)
	if err != nil {
		in.failure(name, err)
		return
	}
	in.append(&File{Name: name, Path: path, Size: info.Size(), ModTime: info.ModTime(), Info: info, folder: folder, from: in.from})
}

// append adds a file, unless the list has it, and records the argument that stands for it.
func (in *List) append(f *File) {
	if old := in.seen[f.Path]; old != nil {
		f = old
	} else {
		in.seen[f.Path] = f
		f.Order = len(in.Files)
		in.Files = append(in.Files, f)
	}
	if in.arg != "" && !slices.Contains(f.Args, in.arg) {
		f.Args = append(f.Args, in.arg)
	}
}

// Size returns the sum of the known sizes.
func (in *List) Size() int64 {
	var n int64
	for _, f := range in.Files {
		n += max(0, f.Size)
	}
	return n
}

// IsSized reports whether the sizes of all files are known.
func (in *List) IsSized() bool {
	return !slices.ContainsFunc(in.Files, func(f *File) bool { return f.Size < 0 })
}

// From returns the files that may be opened because of the inputs; nil if all may be.
func (in *List) From() *reach.Files { return in.from }

// LocalPaths returns the paths of the files on this machine.
func (in *List) LocalPaths() []string {
	var paths []string
	for _, f := range in.Files {
		if f.Info != nil {
			paths = append(paths, f.Path)
		}
	}
	return paths
}
