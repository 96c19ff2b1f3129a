package catalog

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/packed"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/windows"
)

// NoCatalog, in place of a catalogue's path, leaves out the built-in catalogue.
const NoCatalog = "none"

// AddCatalogs opens the catalogues at the paths, which "etl2parquet catalog build" made. They are
// searched after the other files of the user, in this order. AddCatalogs must be called before the
// files are used.
func (s *Files) AddCatalogs(paths []string) error {
	for _, path := range paths {
		if path == NoCatalog {
			s.withoutWindows = true
			continue
		}
		path, err := filepath.Abs(path)
		if err != nil {
			return err
		}
		if err := s.addCatalog(path); err != nil {
			return err
		}
	}
	return nil
}

func (s *Files) addCatalog(path string) error {
	data, err := readUpTo(path, nil, packed.MaxFile, func(size int64) error {
		return fmt.Errorf("%w: a catalogue of %d bytes, the limit is %d", decode.ErrUnsupported, size, packed.MaxFile)
	})
	if err != nil {
		return err
	}
	c, err := packed.Open(data)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	f := &schemaFile{path: path, kind: CatalogDescription, named: true, fingerprint: fingerprintOf(data)}
	s.files = append(s.files, f)
	s.catalogs = append(s.catalogs, c)
	if s.fileOf == nil {
		s.fileOf = make(map[*packed.Catalog]*schemaFile)
	}
	s.fileOf[c] = f
	return nil
}

// OpenSources opens manifests, MOF files, TMF files and PDBs for a catalogue. A path is a
// file, or a folder with files of any of these kinds in any depth.
func OpenSources(paths []string) (*Files, error) {
	var manifests, tmf []string
	for _, path := range paths {
		info, err := os.Stat(path)
		switch {
		case err != nil:
			return nil, err
		case !info.IsDir() && isTMFName(path):
			tmf = append(tmf, path)
		case !info.IsDir():
			manifests = append(manifests, path)
		default:
			inFolder, err := kindsIn(path)
			if err != nil {
				return nil, err
			}
			if inFolder[ManifestDescription] {
				manifests = append(manifests, path)
			}
			if inFolder[TMFDescription] {
				tmf = append(tmf, path)
			}
			if len(inFolder) == 0 {
				return nil, fmt.Errorf("%s: no manifest (.man, .xml), MOF file, TMF file or PDB in this folder", path)
			}
		}
	}
	files, err := OpenFiles(manifests)
	if err != nil {
		return nil, err
	}
	return files, files.AddTMF(tmf)
}

// kindsIn returns the kinds of file that a folder has.
func kindsIn(folder string) (map[DescriptionKind]bool, error) {
	kinds := make(map[DescriptionKind]bool)
	list, err := listFiles([]string{folder}, ManifestDescription, func(path string) bool {
		kinds[ManifestDescription] = kinds[ManifestDescription] || isManifestName(path)
		kinds[TMFDescription] = kinds[TMFDescription] || isTMFName(path)
		return true
	}, nil)
	if err != nil || len(list.files) == 0 {
		return nil, err
	}
	for kind, there := range kinds {
		if !there {
			delete(kinds, kind)
		}
	}
	return kinds, nil
}

// WriteCatalog writes a catalogue atomically. It replaces a file only with force; without force the
// error is [os.ErrExist].
func WriteCatalog(path string, data []byte, force bool) error {
	if !force {
		if _, err := os.Lstat(path); err == nil {
			return os.ErrExist
		}
	}
	const everybody = 0o644
	return replaceFile(path, data, everybody)
}

// Catalogs returns the catalogues in the order in which they are searched: the user's, and then
// that of Windows' own providers. own is the latter, or nil if it is left out.
func (s *Files) Catalogs() (list []*packed.Catalog, own *packed.Catalog) {
	if s != nil {
		list = slices.Clone(s.catalogs)
	}
	if s == nil || !s.withoutWindows {
		own = windows.Catalog()
		list = append(list, own)
	}
	return list, own
}

// replaceFile writes a file atomically, even if other processes write it too.
func replaceFile(path string, text []byte, mode fs.FileMode) error {
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*.tmp")
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err = errors.Join(err, file.Chmod(mode), file.Close()); err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		if gone := os.Remove(file.Name()); gone != nil && !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}
	return err
}
