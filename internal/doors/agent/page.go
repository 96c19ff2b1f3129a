package agent

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
	"github.com/etl2parquet/etl2parquet/schema"
)

// pageEnding is the ending of the only files that this package writes.
const pageEnding = ".html"

// mostPages bounds the numbers that are tried for the default name of a page.
const mostPages = 1000

// pageName returns the root and the path below it for a new page: of a name in a call, or else a new
// one for the input.
func (r *roots) pageName(name, input string) (folder *root, rel string, err error) {
	if len(r.list) == 0 {
		return nil, "", errors.New("there is no folder to write into: the server was started without a root")
	}
	if name != "" {
		return r.namedPage(name)
	}
	folder = &r.list[0]
	base := filepath.Base(input)
	base = strings.TrimSuffix(base, filepath.Ext(base))
	if folder.checkPage(base+pageEnding) != nil {
		base = "report"
	}
	for i := 1; i < mostPages; i++ {
		rel = base + pageEnding
		if i > 1 {
			rel = fmt.Sprintf("%s-%d%s", base, i, pageEnding)
		}
		if _, err := folder.Lstat(rel); errors.Is(err, fs.ErrNotExist) {
			return folder, rel, nil
		}
	}
	return nil, "", fmt.Errorf("%s exists; name another file in output", rel)
}

// namedPage returns the place of a page that a call names.
func (r *roots) namedPage(name string) (folder *root, rel string, err error) {
	if !strings.EqualFold(filepath.Ext(name), pageEnding) {
		return nil, "", fmt.Errorf("%s: the name of a page must end with %s", name, pageEnding)
	}
	for i := range r.list {
		folder = &r.list[i]
		if rel, err = folder.rel(name); err != nil {
			continue
		}
		if _, err = folder.Lstat(rel); err == nil {
			return nil, "", fmt.Errorf("%s exists; name another file in output", name)
		}
		if info, err := folder.Stat(filepath.Dir(rel)); err != nil || !info.IsDir() {
			return nil, "", fmt.Errorf("%s: its folder does not exist below the root", name)
		}
		if err := folder.checkPage(rel); err != nil {
			return nil, "", fmt.Errorf("%s: %w", name, err)
		}
		return folder, rel, nil
	}
	return nil, "", fmt.Errorf("%s: it is outside of the folders that this server may write into", name)
}

// checkPage returns why a new page cannot have a name below the root: programs would hide the file, take it for an
// option or a device, or for a part of a dataset.
func (r *root) checkPage(rel string) error {
	base := filepath.Base(rel)
	switch {
	case strings.ContainsAny(base[:1], ".-"):
		return fmt.Errorf("the name of a page cannot begin with %q", base[0])
	case schema.IsDeviceName(base):
		return errors.New("a device of Windows has this name")
	}
	for folder := filepath.Dir(rel); ; folder = filepath.Dir(folder) {
		if _, err := r.Lstat(filepath.Join(folder, dataset.RecordsFolder)); err == nil {
			return errors.New("its folder is a dataset, or in one")
		}
		if folder == filepath.Dir(folder) {
			return nil
		}
	}
}

// writePage writes a file below the root, which gets its name when it is complete, unless another
// file has taken it. It returns the size.
func (r *root) writePage(rel string, write func(io.Writer) error) (size int64, err error) {
	temp := filepath.Join(filepath.Dir(rel), "."+filepath.Base(rel)+"-"+rand.Text()[:8]+".tmp")
	f, err := r.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return 0, err
	}
	err = write(f)
	if info, wrong := f.Stat(); wrong == nil {
		size = info.Size()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		if err = r.Link(temp, rel); err != nil && !errors.Is(err, fs.ErrExist) { // the file system has no links
			return size, r.Rename(temp, rel)
		}
	}
	return size, errors.Join(err, r.Remove(temp))
}
