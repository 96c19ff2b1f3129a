package main

// #include "bridge.h"
import "C"

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unsafe"

	"github.com/etl2parquet/etl2parquet/internal/inputs"
)

// The settings of DuckDB that say what a query may read.
const (
	accessSetting  = "enable_external_access"
	foldersSetting = "allowed_directories"
	filesSetting   = "allowed_paths"
)

// doors are what DuckDB's settings let a query read, at the time of its binding.
type doors struct {
	of      arguments
	locked  bool     // external access is off
	folders []string // that may be read nevertheless: absolute, or URLs; each ends with a slash
	files   []string
}

// The reasons for which a path is refused. They do not say whether it exists.
var (
	errLocked   = errors.New("DuckDB's settings do not allow to read it: " + accessSetting + " is false, and it is not in " + foldersSetting + " or " + filesSetting)
	errDisabled = errors.New("DuckDB's settings do not allow to read it: disabled_filesystems has LocalFileSystem")
	errParent   = errors.New("DuckDB's settings do not allow to read it: a name with .. while " + accessSetting + " is false")
)

// doors asks DuckDB for the settings. Before DuckDB 1.5.6 extensions cannot see them.
func (a arguments) doors() (*doors, error) {
	d := &doors{of: a}
	if !C.api_has_settings() {
		return d, nil
	}
	access, err := a.setting(accessSetting)
	if err != nil {
		return nil, err
	}
	if d.locked = !slices.Equal(access, []string{"true"}); !d.locked {
		return d, nil
	}
	folders, err := a.setting(foldersSetting)
	if err != nil {
		return nil, err
	}
	for _, f := range folders {
		for _, path := range spellings(f) {
			d.folders = append(d.folders, strings.TrimSuffix(path, "/")+"/")
		}
	}
	files, err := a.setting(filesSetting)
	for _, f := range files {
		d.files = append(d.files, spellings(f)...)
	}
	return d, err
}

// spellings returns the spellings of an allowed path that a path is compared with: its own, and the one
// without symbolic links.
func spellings(path string) []string {
	if path == "" || inputs.IsURL(path) {
		return []string{path}
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil
	}
	list := []string{filepath.ToSlash(path)}
	if real, err := filepath.EvalSymlinks(path); err == nil && real != path {
		list = append(list, filepath.ToSlash(real))
	}
	return list
}

// setting returns the value or values of a setting.
func (a arguments) setting(name string) ([]string, error) {
	c := C.CString(name)
	defer C.free(unsafe.Pointer(c))
	v := value{C.api_setting(a.info, c)}
	if v.v == nil {
		return nil, errors.New("DuckDB does not tell its setting " + name)
	}
	defer v.destroy()
	return v.texts(name)
}

// has reports whether a path, absolute or a URL, is allowed by its name.
func (d *doors) has(path string) bool {
	if !inputs.IsURL(path) {
		path = filepath.ToSlash(path)
	}
	return slices.Contains(d.files, path) || slices.ContainsFunc(d.folders, func(folder string) bool {
		return strings.HasPrefix(strings.TrimSuffix(path, "/")+"/", folder)
	})
}

// admit returns an error if a file or folder must not be read: by its name, or because it is a
// symbolic link, or below one, to what must not be read.
func (d *doors) admit(path string) error {
	if d.locked {
		absolute, err := filepath.Abs(path)
		if err != nil || !d.has(absolute) {
			return errLocked
		}
		real, err := filepath.EvalSymlinks(absolute)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil // opening it reports that
		case err != nil || !d.has(real):
			return errLocked
		}
	}
	return d.ask(path)
}

// ask asks DuckDB's own file system about a file.
func (d *doors) ask(path string) error {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || !bool(C.api_has_settings()) {
		return nil
	}
	c := C.CString(path)
	defer C.free(unsafe.Pointer(c))
	switch {
	case !bool(C.api_refuses(d.of.info, c)):
		return nil
	case d.locked:
		return errLocked
	}
	return errDisabled
}

// admitAll is admit for a file, or a folder with all that is in it.
func (d *doors) admitAll(path string) error {
	if err := d.admit(path); err != nil || !d.locked {
		return err
	}
	return filepath.WalkDir(path, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type()&fs.ModeSymlink != 0 {
			return d.admit(path)
		}
		return nil // opening it reports an error
	})
}

// admitInput checks an input, as the user named it, before anything is looked up: a file, a folder, a
// pattern or a URL. It returns the name to look up, which does not mean another file later.
func (d *doors) admitInput(name string) (string, error) {
	switch {
	case !d.locked:
		return name, nil
	case name == inputs.Stdin:
		return "", errLocked
	case inputs.IsURL(name):
		if slices.Contains(strings.Split(name, "/"), "..") {
			return "", errParent
		}
		if !d.has(name) {
			return "", errLocked
		}
		return name, nil
	}
	local, err := inputs.LocalPath(name)
	if err != nil {
		return "", err
	}
	absolute, err := filepath.Abs(local)
	if err != nil {
		return "", err
	}
	root := absolute
	if at := strings.IndexAny(absolute, "*?[{"); at >= 0 {
		root = filepath.Dir(absolute[:at] + "x")
		if d.has(absolute) { // a file of exactly this name
			root = absolute
		}
	}
	return absolute, d.admit(root)
}
