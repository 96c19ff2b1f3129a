package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/etl2parquet/etl2parquet/convert"
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/archive"
	"github.com/etl2parquet/etl2parquet/internal/batch/input"
	"github.com/etl2parquet/etl2parquet/internal/benchmark"
	"github.com/etl2parquet/etl2parquet/internal/query"
)

// Exit statuses, as the package documentation lists them.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitSomeFailed  = 3
	exitUnavailable = 69 // EX_UNAVAILABLE of sysexits.h
	exitInterrupted = 130
)

// usageError is an error of the command line.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// The results of a command over several inputs, whose errors have been printed.
var (
	errAllFailed  = errors.New("all inputs failed")
	errSomeFailed = errors.New("some inputs failed")
)

// exit prints err unless it has been printed, and returns the exit status for it.
func (a *app) exit(err error) int {
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errAllFailed), errors.Is(err, errNotWhole), errors.Is(err, errUnexplained):
		return exitFailed
	case errors.Is(err, errSomeFailed):
		return exitSomeFailed
	case errors.Is(err, context.Canceled):
		a.complain("interrupted")
		return exitInterrupted
	}
	a.complain("%s", plain(err))
	switch {
	case errors.As(err, new(usageError)):
		return exitUsage
	case errors.Is(err, benchmark.ErrNoPeer), errors.Is(err, query.ErrUnavailable):
		return exitUnavailable
	}
	return exitFailed
}

// complain prints a line on standard error.
func (a *app) complain(format string, args ...any) {
	fmt.Fprintf(a.err, "etl2parquet: "+format+"\n", args...)
}

// resultOf returns the error of a command over several inputs.
func resultOf(ctx context.Context, done, failed int) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case failed == 0:
		return nil
	case done == 0:
		return errAllFailed
	}
	return errSomeFailed
}

// inputError returns the message for an error of an input. The input's name is
// not part of it: it is printed before the message.
func inputError(path string, err error) string {
	var damage *decode.Error
	if errors.Is(err, decode.ErrNotETL) && errors.As(err, &damage) {
		return damage.Err.Error() // without the position: the file is no trace at all
	}
	var different *convert.DifferentError
	if errors.As(err, &different) {
		return differentText(different)
	}
	var limit *archive.LimitError
	if errors.As(err, &limit) && limitFlags[limit.Limit] != "" {
		return fmt.Sprintf("%v; see --%s", err, limitFlags[limit.Limit])
	}
	return plain(input.WithoutPath(path, err))
}

// plain returns the message of an error without the operations and system calls
// that Go's packages put into theirs.
func plain(err error) string {
	text := err.Error()
	var mend func(err error)
	mend = func(err error) {
		if words := plainWords(err); words != "" {
			text = strings.Replace(text, err.Error(), words, 1)
			return
		}
		switch err := err.(type) {
		case interface{ Unwrap() error }:
			if inner := err.Unwrap(); inner != nil {
				mend(inner)
			}
		case interface{ Unwrap() []error }:
			for _, inner := range err.Unwrap() {
				mend(inner)
			}
		}
	}
	mend(err)
	return text
}

// plainWords returns the message for an error of Go's packages, or "" for any other error.
func plainWords(err error) string {
	switch err := err.(type) {
	case *fs.PathError:
		return err.Path + ": " + plain(err.Err)
	case *os.LinkError:
		return err.New + ": " + plain(err.Err)
	case *os.SyscallError:
		return plain(err.Err)
	case *net.OpError:
		if err.Addr == nil {
			return plain(err.Err)
		}
		return err.Addr.String() + ": " + plain(err.Err)
	case *net.DNSError:
		return fmt.Sprintf("the server %s was not found", err.Name)
	}
	if err == io.ErrUnexpectedEOF {
		return "cut off: it ends too early"
	}
	if errors.Is(err, path.ErrBadPattern) || errors.Is(err, filepath.ErrBadPattern) {
		if err.Error() == path.ErrBadPattern.Error() {
			return "a pattern needs a ] for each [, and a character after each \\"
		}
	}
	return ""
}

// failInput prints the error of an input.
func (a *app) failInput(name string, err error) {
	a.complain("%s: %s", printable(name), printable(inputError(name, err)))
}
