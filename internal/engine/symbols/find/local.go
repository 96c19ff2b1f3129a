package find

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"unicode/utf8"
)

// inPlace returns the path of the file in a place. The error says why a file with the right name is
// not used, or is ErrNotFound.
func (f *Finder) inPlace(ctx context.Context, p place, w *request) (string, error) {
	if p.file != "" {
		return f.asFile(ctx, p.file, w)
	}
	reason := error(ErrNotFound)
	for _, folder := range f.folders(p.folder, w) {
		path, err := f.inFolder(ctx, folder, w)
		if err == nil {
			return path, nil
		}
		if !errors.Is(err, ErrNotFound) && errors.Is(reason, ErrNotFound) {
			reason = err
		}
	}
	return "", reason
}

// asFile checks a file that the user named. If it matches, it may have another name.
func (f *Finder) asFile(ctx context.Context, path string, w *request) (string, error) {
	name := filepath.Base(path)
	if strings.EqualFold(name, w.compressed()) {
		return f.decompressFile(ctx, path, w)
	}
	if isPDB := strings.EqualFold(filepath.Ext(name), ".pdb"); isPDB != w.isPDB {
		return "", ErrNotFound
	}
	err := w.check(path)
	if err != nil && !strings.EqualFold(name, w.name) {
		return "", ErrNotFound
	}
	return path, err
}

// plainFolders are folders in which debuggers look for PDBs, by the extension of the image.
var plainFolders = [][]string{{"symbols", "dll"}, {"symbols", "exe"}, {"symbols", "sys"}, {"dll"}, {"exe"}, {"sys"}}

// folders returns the folders below a root in which the file may be.
func (f *Finder) folders(root string, w *request) []string {
	var folders []string
	add := func(names ...string) {
		folders = append(folders, f.below(root, names)...)
	}
	add(w.name, w.id)
	if len(f.entries(root, "index2.txt")) > 0 { // three tiers
		add(firstRunes(w.name, 2), w.name, w.id)
	}
	add()
	if w.isPDB {
		for _, names := range plainFolders {
			add(names...)
		}
	}
	return folders
}

func firstRunes(text string, n int) string {
	for i := range text {
		if n == 0 {
			return text[:i]
		}
		n--
	}
	return text
}

// below returns the folders at a path below a root, in any case. There may be several on file
// systems that distinguish case.
func (f *Finder) below(root string, names []string) []string {
	at := []string{root}
	for i, name := range names {
		var next []string
		for _, folder := range at {
			var entries []string
			if i == 0 {
				entries = f.entries(folder, name)
			} else {
				entries = readListing(folder).named(name)
			}
			for _, entry := range entries {
				next = append(next, filepath.Join(folder, entry))
			}
		}
		at = next
	}
	return at
}

// inFolder returns the path of the file in a folder, decompressed if necessary.
func (f *Finder) inFolder(ctx context.Context, folder string, w *request) (string, error) {
	reason := error(ErrNotFound)
	for _, entry := range f.entries(folder, w.name) {
		path := filepath.Join(folder, entry)
		if !f.isRegular(path) {
			continue
		}
		err := w.check(path)
		if err == nil {
			return path, nil
		}
		reason = err
	}
	for _, entry := range f.entries(folder, w.compressed()) {
		path := filepath.Join(folder, entry)
		if !f.isRegular(path) {
			continue
		}
		path, err := f.decompressFile(ctx, path, w)
		if err == nil {
			return path, nil
		}
		reason = err
	}
	if errors.Is(reason, ErrNotFound) && filepath.Base(folder) == w.id && len(f.entries(folder, "file.ptr")) > 0 {
		f.note(fmt.Sprintf("%s refers to a file elsewhere, which is not followed", filepath.Join(folder, "file.ptr")))
	}
	return "", reason
}

// isRegular reports whether a path is a file that may be opened, and without waiting.
func (f *Finder) isRegular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && f.from.Keeps(path)
}

// listing holds the names in a folder, keyed by their folded form.
type listing struct {
	once  sync.Once
	names map[string][]string
}

// entries returns the names in a folder that equal a name if case is ignored. A folder that a user
// names is listed once; files that appear in it later are not found.
func (f *Finder) entries(folder, name string) []string {
	l, _ := f.listings.LoadOrStore(folder, new(listing))
	known := l.(*listing)
	known.once.Do(func() { known.names = readListing(folder).names })
	return known.named(name)
}

func (l *listing) named(name string) []string { return l.names[strings.ToLower(name)] }

// readListing lists a folder. An unreadable folder has no names.
func readListing(folder string) *listing {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return &listing{}
	}
	names := make(map[string][]string, len(entries))
	for _, e := range entries {
		if e.Type()&(fs.ModeNamedPipe|fs.ModeSocket|fs.ModeDevice) == 0 && utf8.ValidString(e.Name()) {
			lower := strings.ToLower(e.Name())
			names[lower] = append(names[lower], e.Name())
		}
	}
	return &listing{names: names}
}
