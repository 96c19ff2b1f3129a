package inputs

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/etl2parquet/etl2parquet/internal/base/reach"
)

// IsPattern reports whether a name can stand for several files: it has a wildcard, or alternatives
// in braces.
func IsPattern(name string) bool { return firstWildcard(name) >= 0 }

// firstWildcard returns the index of the first character that makes a name a pattern, or -1.
func firstWildcard(name string) int {
	volume := len(filepath.VolumeName(name)) // \\?\C: has no wildcard
	rest := filepath.ToSlash(name[volume:])
	i := strings.IndexAny(rest, "*?[")
	if brace, _, _ := alternativesOf(rest); brace >= 0 && (i < 0 || brace < i) {
		i = brace
	}
	if i < 0 {
		return -1
	}
	return volume + i
}

func (in *List) addPattern(arg, pattern string) {
	glob := pattern
	if folder, last := filepath.Split(pattern); last == "**" { // all traces below, as for a folder
		glob = filepath.Clean(folder)
	}
	found, err := filesOf(in.from, glob, runtime.GOOS == "windows")
	if err == nil && len(found.paths) == 0 {
		err = errors.New("no file matches")
	}
	for _, f := range found.unreadable {
		in.failure(f.Path, f.Err)
	}
	if err != nil {
		in.failure(arg, err)
		return
	}
	for _, path := range found.paths {
		in.addNamed(path)
	}
}

// matches are the files and folders that match a pattern.
type matches struct {
	paths      []string
	unreadable []*fs.PathError // folders that may hide further ones
}

// filesOf returns the files and folders that match a pattern, folder by folder in the order of
// names, alternative by alternative. "**" stands for any number of folders; links to folders are then
// not followed, because they may form cycles. fold ignores case, except in the folders before the
// first wildcard, which the system opens by name.
func filesOf(from *reach.Files, pattern string, fold bool) (*matches, error) {
	folder, rest := splitExact(from, filepath.Clean(pattern))
	globs, err := globsOf(filepath.ToSlash(rest))
	m := new(matches)
	for _, glob := range globs {
		var options []doublestar.GlobOption
		if fold {
			options = append(options, doublestar.WithCaseInsensitive())
		}
		if strings.Contains(glob, "**") {
			options = append(options, doublestar.WithNoFollow())
		}
		base, names := doublestar.SplitPattern(glob)
		root := &rootFolder{reach.Tree{Files: from, Folder: filepath.Join(folder, filepath.FromSlash(base))}, m}
		paths, err := doublestar.Glob(root, names, options...)
		if err != nil {
			return m, err
		}
		for _, path := range paths {
			m.paths = append(m.paths, root.path(path))
		}
	}
	return m, err
}

// splitExact splits a clean pattern after the folders that exist by exactly these names, wildcards
// included, such as "run[1]".
func splitExact(from *reach.Files, pattern string) (folder, rest string) {
	begin := len(filepath.VolumeName(pattern))
	for i := begin; i < len(pattern); i++ {
		if !os.IsPathSeparator(pattern[i]) {
			continue
		}
		end := i
		if i == begin {
			end = i + 1 // the root
		}
		if _, err := from.Lstat(pattern[:end]); err != nil {
			break
		}
		folder, rest = pattern[:end], pattern[i+1:]
	}
	if folder == "" {
		return pattern[:begin], pattern[begin:]
	}
	return folder, rest
}

// FolderOf returns the folder that a file, or what a pattern stands for, lies in, whatever the wildcards mean.
func FolderOf(name string) string {
	if i := firstWildcard(name); i >= 0 {
		name = name[:i] + "x"
	}
	return filepath.Dir(name)
}

// rootFolder is the folder of a pattern as a file system. It notes what cannot be read.
type rootFolder struct {
	reach.Tree
	found *matches
}

func (r *rootFolder) path(name string) string {
	return filepath.Join(r.Folder, filepath.FromSlash(name))
}

// Stat implements [fs.StatFS].
func (r *rootFolder) Stat(name string) (fs.FileInfo, error) {
	info, err := r.Tree.Stat(name)
	if errors.Is(err, fs.ErrPermission) {
		r.found.note(filepath.Dir(r.path(name)), err)
	}
	return info, err
}

// ReadDir implements [fs.ReadDirFS].
func (r *rootFolder) ReadDir(name string) ([]fs.DirEntry, error) {
	list, err := r.Tree.ReadDir(name)
	switch {
	case err == nil, errors.Is(err, fs.ErrNotExist):
	case errors.Is(err, reach.ErrOutside):
		r.found.note(r.path(name), err)
	default:
		if info, statErr := r.Tree.Stat(name); statErr == nil && info.IsDir() { // a file has nothing to read
			r.found.note(r.path(name), err)
		}
	}
	return list, err
}

// note records, once, a folder that cannot be read. The pattern goes on without it.
func (m *matches) note(folder string, err error) {
	if slices.ContainsFunc(m.unreadable, func(e *fs.PathError) bool { return e.Path == folder }) {
		return
	}
	var reason *fs.PathError
	if errors.As(err, &reason) {
		err = reason.Err
	}
	m.unreadable = append(m.unreadable, &fs.PathError{Op: "read", Path: folder, Err: err})
}

// keyPattern is a pattern of the keys of objects in a bucket.
type keyPattern struct {
	pattern string
	globs   []string
}

func parseKeyPattern(pattern string) (*keyPattern, error) {
	globs, err := globsOf(pattern)
	for _, glob := range globs {
		if !doublestar.ValidatePattern(glob) {
			return nil, doublestar.ErrBadPattern
		}
	}
	return &keyPattern{pattern, globs}, err
}

// isFolder reports whether the pattern stands for what is below folders ("in/**"), of which only traces
// and archives are meant, as in folders of a file system.
func (p *keyPattern) isFolder() bool { return strings.HasSuffix(p.pattern, "/**") }

// matches reports whether the key of an object matches.
func (p *keyPattern) matches(key string) bool {
	if p.isFolder() && placeInFolder(path.Base(key)) == other {
		return false
	}
	return slices.ContainsFunc(p.globs, func(glob string) bool { return doublestar.MatchUnvalidated(glob, key) })
}
