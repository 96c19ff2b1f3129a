package inputs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/etl2parquet/etl2parquet/internal/inputs/archive"
)

func (in *List) addPattern(pattern string) {
	glob := pattern
	if folder, last := filepath.Split(pattern); last == "**" { // all traces below, as of a folder
		glob = filepath.Clean(folder)
	}
	paths, err := filesOf(glob, runtime.GOOS == "windows")
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

// braces makes braces stand for themselves, as they are in names of GUIDs.
var braces = strings.NewReplacer(`\\`, `\\`, `\{`, `\{`, `\}`, `\}`, "{", `\{`, "}", `\}`)

// filesOf returns the files and folders that match a pattern, folder by folder in the order of
// names. "**" stands for any number of folders, but links to folders are then not followed: they
// may form circles. fold ignores case, but for the folders before the first wildcard, which the
// system opens by name.
func filesOf(pattern string, fold bool) ([]string, error) {
	volume := filepath.VolumeName(pattern)
	rest := braces.Replace(filepath.ToSlash(filepath.Clean(pattern[len(volume):])))
	var options []doublestar.GlobOption
	if fold {
		options = append(options, doublestar.WithCaseInsensitive())
	}
	if strings.Contains(rest, "**") {
		options = append(options, doublestar.WithNoFollow())
	}
	base, names := doublestar.SplitPattern(rest)
	root := rootFolder(volume + filepath.FromSlash(base))
	paths, err := doublestar.Glob(root, names, options...)
	for i, path := range paths {
		paths[i] = root.path(path)
	}
	return paths, err
}

// rootFolder is a folder as a file system. [os.DirFS] calls it "folder/.", which Windows does not
// find behind \\?\.
type rootFolder string

func (r rootFolder) path(name string) string {
	return filepath.Join(string(r), filepath.FromSlash(name))
}

// Open implements [fs.FS].
func (r rootFolder) Open(name string) (fs.File, error) { return os.Open(r.path(name)) }

// Stat implements [fs.StatFS].
func (r rootFolder) Stat(name string) (fs.FileInfo, error) { return os.Stat(r.path(name)) }

// ReadDir implements [fs.ReadDirFS].
func (r rootFolder) ReadDir(name string) ([]fs.DirEntry, error) { return os.ReadDir(r.path(name)) }

// keyMatches reports whether the key of an object in a bucket matches a valid pattern. Of what is
// below a folder ("in/**") only traces and archives match, as in folders.
func keyMatches(pattern, key string) bool {
	if strings.HasSuffix(pattern, "/**") && !archive.TraceName(key) && !IsArchiveName(key) {
		return false
	}
	return doublestar.MatchUnvalidated(braces.Replace(pattern), key)
}
