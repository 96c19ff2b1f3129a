package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/internal/base/remote"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/doors/describe"
	"github.com/etl2parquet/etl2parquet/internal/doors/explain"
	"github.com/etl2parquet/etl2parquet/internal/doors/listing"
	"github.com/etl2parquet/etl2parquet/internal/doors/upkeep"
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

// exit prints err unless it has been printed, and returns the exit status for it.
func (a *app) exit(err error) int {
	a.endRefused()
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, answers.ErrAllFailed), errors.Is(err, upkeep.ErrNotWhole), errors.Is(err, explain.ErrUnknown):
		return exitFailed
	case errors.Is(err, answers.ErrSomeFailed):
		return exitSomeFailed
	case errors.Is(err, context.Canceled):
		a.warn("interrupted")
		return exitInterrupted
	}
	a.warn("%s", messageOf(err))
	switch {
	case isUsage(err):
		return exitUsage
	case errors.Is(err, answers.ErrUnavailable):
		return exitUnavailable
	}
	return exitFailed
}

// isUsage reports whether an error is of the command line, or of a name or pattern in it.
func isUsage(err error) bool {
	return errors.As(err, new(usageError)) || errors.As(err, new(*answers.StoreError)) || errors.As(err, new(*explain.MalformedError)) || errors.As(err, new(*describe.NameError)) ||
		errors.As(err, new(*listing.PatternError))
}

// note prints a line on standard error.
func (a *app) note(line string) { a.warn("%s", line) }

// warn prints a line on standard error.
func (a *app) warn(format string, args ...any) {
	fmt.Fprintln(a.err, "etl2parquet: "+texts.Message(fmt.Sprintf(format, args...)))
}

// warnAll prints sentences on standard error: on a terminal on as many lines as each needs.
func (a *app) warnAll(sentences []string) {
	for _, text := range sentences {
		if width := terminalWidth(a.err); width > 0 {
			const indent = "  "
			text = strings.Join(texts.Wrap("etl2parquet: "+text, width-len(indent)), "\n"+indent)
			fmt.Fprintln(a.err, text)
			continue
		}
		a.warn("%s", text)
	}
}

// endRefused counts the inputs that failed like the first one whose server refused the credentials.
func (a *app) endRefused() {
	if a.refused > 1 {
		a.warn("%s not read for the same reason: the server refuses the credentials", counted(int64(a.refused-1), "more input"))
	}
}

// failInput prints the error of an input. That a server refuses the credentials is printed once: no
// other input on the server can be read.
func (a *app) failInput(name string, err error) {
	if errors.Is(err, remote.ErrRefused) {
		if a.refused++; a.refused > 1 {
			return
		}
	}
	a.warn("%s: %s", printable(name), printable(messageOfInput(name, err)))
}
