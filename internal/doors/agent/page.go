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
)

// pageEnding is the ending of the only files that this package writes.
const pageEnding = ".html"

// mostPages bounds the numbers that are tried for the default name of a page.
const mostPages = 1000

// pageName returns the root and the path below it for a new page: of a name in a call, or else a new
// one for the input.
func (r *roots) pageName(name, input string) (at *root, rel string, err error) {
	if len(r.list) == 0 {
		return nil, "", errors.New("there is no folder to write into: the server was started without a root")
	}
	if name != "" {
		return r.namedPage(name)
	}
	at = &r.list[0]
	base := filepath.Base(input)
	base = strings.TrimSuffix(base, filepath.Ext(base))
	for i := 1; i < mostPages; i++ {
		rel = base + pageEnding
		if i > 1 {
			rel = fmt.Sprintf("%s-%d%s", base, i, pageEnding)
		}
		if _, err := at.Lstat(rel); errors.Is(err, fs.ErrNotExist) {
			return at, rel, nil
		}
	}
	return nil, "", fmt.Errorf("%s exists; name another file in output", rel)
}

// namedPage returns the place of a page that a call names.
func (r *roots) namedPage(name string) (at *root, rel string, err error) {
	if !strings.EqualFold(filepath.Ext(name), pageEnding) {
		return nil, "", fmt.Errorf("%s: the name of a page must end with %s", name, pageEnding)
	}
	for i := range r.list {
		at = &r.list[i]
		if rel, err = at.rel(name); err != nil {
			continue
		}
		if _, err = at.Lstat(rel); err == nil {
			return nil, "", fmt.Errorf("%s exists; name another file in output", name)
		}
		if info, err := at.Stat(filepath.Dir(rel)); err != nil || !info.IsDir() {
			return nil, "", fmt.Errorf("%s: its folder does not exist below the root", name)
		}
		return at, rel, nil
	}
	return nil, "", fmt.Errorf("%s: it is outside of the folders that this server may write into", name)
}

// writePage writes a file below the root, which gets its name when it is complete. It returns the size.
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
		err = r.Rename(temp, rel)
	}
	if err != nil {
		err = errors.Join(err, r.Remove(temp))
	}
	return size, err
}
