package inputs

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// specialKind names a file that is neither a regular file nor a folder.
func specialKind(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "not a regular file"
}

// addSpecial adds a file that is not a regular one: a pipe is read like standard input, and others
// are refused.
func (in *List) addSpecial(name string, info fs.FileInfo) {
	if info.Mode()&fs.ModeNamedPipe == 0 {
		in.failure(name, errors.New(specialKind(info.Mode())+", and not a file or a pipe: connect it to standard input, and name -"))
		return
	}
	path, err := filepath.Abs(name)
	if err != nil {
		in.failure(name, err)
		return
	}
	in.append(&File{Name: name, Path: path, Size: -1, pipe: true, open: func(ctx context.Context) (*content, error) { return openPipe(ctx, path) }})
}

// openPipe opens a pipe when another program opens it for writing, or until the context ends.
func openPipe(ctx context.Context, path string) (*content, error) {
	type result struct {
		file *os.File
		err  error
	}
	opened := make(chan result, 1)
	go func() { // the system gives no way to end the call
		file, err := os.Open(path)
		opened <- result{file, err}
	}()
	select {
	case r := <-opened:
		if r.err != nil {
			return nil, r.err
		}
		stop := context.AfterFunc(ctx, func() { r.file.Close() }) // ends a read that waits
		return &content{stream: r.file, closer: closePipe{r.file, stop}}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// closePipe closes a pipe.
type closePipe struct {
	*os.File
	stop func() bool
}

func (c closePipe) Close() error {
	c.stop()
	return c.File.Close()
}
