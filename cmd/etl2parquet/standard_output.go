package main

import (
	"errors"
	"io"
	"runtime"
	"syscall"
)

// output remembers the first error, so that a full disk does not look like success.
type output struct {
	io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// isClosedPipe reports whether err is from writing to a pipe whose reader is gone.
func isClosedPipe(err error) bool {
	const noData = syscall.Errno(232) // ERROR_NO_DATA of Windows
	return errors.Is(err, syscall.EPIPE) || runtime.GOOS == "windows" && errors.Is(err, noData)
}

// ignoreClosedPipe discards the output after its reader is gone.
type ignoreClosedPipe struct{ io.Writer }

func (w ignoreClosedPipe) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if isClosedPipe(err) {
		return len(p), nil
	}
	return n, err
}
