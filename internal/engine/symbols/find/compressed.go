package find

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/base/cab"
)

// decompressFile decompresses a file, such as name.pd_, into the cache.
func (f *Finder) decompressFile(ctx context.Context, path string, w *request) (string, error) {
	if f.cache == nil {
		return "", fmt.Errorf("%s is compressed: a cache folder is needed to decompress it", path)
	}
	return f.decompress(ctx, path, path, w)
}

// decompress decompresses the file in a cabinet. from names the source of the cabinet.
func (f *Finder) decompress(ctx context.Context, path, from string, w *request) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return "", err
	}
	content, err := f.member(file, info.Size(), w)
	if err != nil {
		return "", fmt.Errorf("%s: %w", from, err)
	}
	p, err := f.cache.create(w)
	if err != nil {
		return "", err
	}
	defer p.remove()
	if err := f.copy(ctx, p, content); err != nil {
		return "", fmt.Errorf("%s: %w", from, err)
	}
	return p.store(from)
}

// member returns the contents of the file in a cabinet that has the right name, or of its only
// file, because stores also compress files that were renamed.
func (f *Finder) member(at io.ReaderAt, size int64, w *request) (io.Reader, error) {
	c, err := cab.Open(at, size)
	if err != nil {
		return nil, err
	}
	files := c.Files()
	chosen := -1
	for i, file := range files {
		base := file.Name[strings.LastIndexAny(file.Name, `\/`)+1:]
		if strings.EqualFold(base, w.name) || len(files) == 1 {
			chosen = i
			break
		}
	}
	if chosen < 0 {
		return nil, fmt.Errorf("none of the %d files in the cabinet is %s", len(files), w.name)
	}
	file := files[chosen]
	if file.Size > f.o.MaxBytes {
		return nil, f.tooLarge()
	}
	folder, err := c.Folder(file.Folder)
	if err != nil {
		return nil, err
	}
	if _, err := io.CopyN(io.Discard, folder, file.Offset); err != nil {
		return nil, err
	}
	return &exactly{folder, file.Size}, nil
}

// exactly reads a number of bytes, and fails if there are fewer.
type exactly struct {
	from io.Reader
	left int64
}

func (e *exactly) Read(p []byte) (int, error) {
	if e.left == 0 {
		return 0, io.EOF
	}
	n, err := e.from.Read(p[:min(int64(len(p)), e.left)])
	e.left -= int64(n)
	if err == io.EOF && e.left > 0 {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}
