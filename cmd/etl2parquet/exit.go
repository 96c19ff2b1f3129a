package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/etl2parquet/etl2parquet/archive"
	"github.com/etl2parquet/etl2parquet/decode"
)

// The exit statuses.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitSomeFailed  = 3
	exitInterrupted = 130
)

// usageError is an error of the command line.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// The results of a command over several inputs, whose errors have been printed.
var (
	errAllFailed  = errors.New("all inputs failed")
	errSomeFailed = errors.New("some inputs failed")
)

// exit prints an error, if it has not been printed, and returns its status.
func (a *app) exit(err error) int {
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errAllFailed), errors.Is(err, errNotWhole):
		return exitFailed
	case errors.Is(err, errSomeFailed):
		return exitSomeFailed
	case errors.Is(err, context.Canceled):
		a.complain("interrupted")
		return exitInterrupted
	}
	a.complain("%v", err)
	if errors.As(err, new(usageError)) {
		return exitUsage
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

// inputError words the error of an input, whose name is printed before it.
func inputError(path string, err error) string {
	var damage *decode.Error
	if errors.Is(err, decode.ErrNotETL) && errors.As(err, &damage) {
		return damage.Err.Error() // where it is not one does not matter
	}
	var limit *archive.LimitError
	if errors.As(err, &limit) && limitFlags[limit.Limit] != "" {
		return fmt.Sprintf("%v; see --%s", err, limitFlags[limit.Limit])
	}
	return pathless(path, err).Error()
}

// pathless leaves out a path that is printed before the error.
func pathless(path string, err error) error {
	var file *fs.PathError
	if errors.As(err, &file) && file.Path == path {
		return file.Err
	}
	return err
}

// failInput prints what is wrong with an input.
func (a *app) failInput(name string, err error) {
	a.complain("%s: %s", printable(name), printable(inputError(name, err)))
}
