package agent

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/base/reach"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/inputs/archive"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
)

// roots are the inputs of the server, and the folders below which calls may name others. Links and
// names that lead out of a folder are rejected by [os.Root], here and when files are opened. What SQL
// reads of a dataset was checked before: a link in it that another program makes in between is followed.
type roots struct {
	inputs []string
	list   []root
	files  *reach.Files // that may be opened: below the roots, the inputs, and in the folders of these
}

// root is a folder that the user allowed.
type root struct {
	*reach.Folder
	files *reach.Files
}

// openRoots opens the folders.
func openRoots(named, folders []string) (*roots, error) {
	r := &roots{inputs: named, files: new(reach.Files)}
	for _, name := range folders {
		folder, err := r.open(name)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("root %s: %w", name, inputs.WithoutPath(name, err)), r.files.Close())
		}
		r.list = append(r.list, root{folder, r.files})
	}
	for _, name := range named {
		if err := r.addInput(name); err != nil {
			return nil, errors.Join(err, r.files.Close())
		}
	}
	return r, nil
}

// open opens a folder whose files may be opened.
func (r *roots) open(name string) (*reach.Folder, error) {
	path, err := inputs.LocalPath(name)
	if err != nil {
		return nil, err
	}
	folder, err := reach.OpenFolder(path)
	if err == nil {
		r.files.AddFolder(folder)
	}
	return folder, err
}

// addInput adds an input of the server to the files that may be opened: a file, wherever its name leads, with the
// folder that it lies in, or a folder. An input that does not exist is reported when it is read.
func (r *roots) addInput(name string) error {
	path, err := inputs.LocalPath(name)
	if err != nil || inputs.IsURL(name) {
		return err
	}
	if err := r.files.AddFile(path); err != nil {
		return err
	}
	folder := path
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		folder = inputs.FolderOf(path)
	}
	if err := r.files.AddFolderOf(folder); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// resolve returns the inputs that a name in a call stands for: "" for the inputs of the server. Each is
// below a root, or an input of the server.
func (r *roots) resolve(name string) ([]string, error) {
	switch {
	case name == "" && len(r.inputs) > 0:
		return r.inputs, nil
	case name == "":
		text := "name the trace in input"
		if len(r.list) == 1 {
			text += `, or "." for all`
		}
		return nil, errors.New(text + r.candidates(name))
	case slices.Contains(r.inputs, name):
		return []string{name}, nil
	}
	for i := range r.list {
		folder := &r.list[i]
		rel, err := folder.rel(name)
		if err != nil {
			continue
		}
		switch found, err := folder.inputs(rel); {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, fmt.Errorf("%s: %w", name, err)
		default:
			return found, nil
		}
		return nil, fmt.Errorf("%s: there is no such file or folder%s", name, r.candidates(name))
	}
	if i := slices.IndexFunc(r.inputs, func(in string) bool { return filepath.Base(in) == name }); i >= 0 {
		return r.inputs[i : i+1], nil
	}
	return nil, fmt.Errorf("%s: %w%s", name, errOutside, r.candidates(name))
}

// errOutside is the error for names that lead out of the folders.
var errOutside = errors.New("it is outside of what this server may read")

// rel returns the path of a name below the root. A relative name is taken to be below it.
func (r *root) rel(name string) (string, error) {
	if inputs.IsURL(name) || name == inputs.Stdin || strings.ContainsRune(name, 0) {
		return "", errOutside
	}
	local, err := inputs.LocalPath(name)
	if err != nil {
		return "", err
	}
	if !filepath.IsAbs(local) {
		return localOnly(filepath.Clean(local))
	}
	if rel, ok := r.Rel(local); ok {
		return rel, nil
	}
	return "", errOutside
}

// localOnly returns a path, or an error if it leads out of the folder that it begins in.
func localOnly(rel string) (string, error) {
	if !filepath.IsLocal(rel) {
		return "", errOutside
	}
	return rel, nil
}

// inputs returns the inputs that a path below the root stands for: a file, a dataset, or the files of a
// folder or a pattern.
func (r *root) inputs(rel string) ([]string, error) {
	full := filepath.Join(r.Real, rel)
	info, err := r.Stat(rel)
	switch {
	case err != nil && inputs.IsPattern(rel) && !strings.Contains(rel, ".."):
		return r.found(full)
	case errors.Is(err, fs.ErrNotExist):
		return nil, err
	case err != nil:
		return nil, errOutside // a link out of the root, or a folder that may not be read
	case info.Mode().IsRegular():
		return []string{full}, nil
	case !info.IsDir():
		return nil, errors.New("it is neither a file nor a folder")
	case dataset.IsFolder(full):
		return []string{full}, nil
	}
	return r.found(full)
}

// found returns the files of a folder or pattern. Each must be below the root.
func (r *root) found(name string) (list []string, err error) {
	fail := func(_ string, wrong error) { err = errors.Join(err, wrong) }
	for _, f := range inputs.FindIn(r.files, []string{name}, nil, nil, fail).Files {
		if !f.IsPipe() {
			list = append(list, f.Path)
		}
	}
	if len(list) == 0 && err == nil {
		err = errors.New("it has no trace and no archive")
	}
	return list, err
}

// The bounds of a list of candidates.
const (
	mostCandidates = 20
	mostEntries    = 20_000 // of the folders that are looked through
)

// candidates names the traces that a call can name: those similar to a name, or else the first ones.
func (r *roots) candidates(name string) string {
	names := slices.Clone(r.inputs)
	isCut := false
	for i := range r.list {
		cut := r.list[i].traces(&names)
		isCut = isCut || cut
	}
	if similar := texts.Nearest(path.Base(filepath.ToSlash(name)), names); name != "" && len(similar) > 0 {
		return "; " + texts.DidYouMean(similar)
	}
	if len(names) == 0 {
		return ""
	}
	text := "; there are " + strings.Join(names[:min(len(names), mostCandidates)], ", ")
	switch more := len(names) - mostCandidates; {
	case isCut:
		text += " and more"
	case more > 0:
		text += fmt.Sprintf(" and %s more", texts.Grouped(int64(more)))
	}
	return text
}

// traces appends the names of the traces, archives and datasets below the root, by path. It reports
// whether there may be more.
func (r *root) traces(names *[]string) (isCut bool) {
	entries := 0
	err := fs.WalkDir(r.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if entries++; entries > mostEntries {
			return errMany
		}
		switch {
		case err != nil && d != nil && d.IsDir():
			return fs.SkipDir // it may not be read
		case err != nil:
			return err
		case d.IsDir() && dataset.IsFolder(filepath.Join(r.Real, name)):
			*names = append(*names, name)
			return fs.SkipDir
		case d.Type().IsRegular() && (archive.TraceName(name) || inputs.IsArchiveName(name)):
			*names = append(*names, name)
		}
		return nil
	})
	return err != nil
}

// errMany ends the search for candidates.
var errMany = errors.New("too many files")
