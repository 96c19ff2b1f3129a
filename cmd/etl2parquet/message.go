package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/inputs/archive"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
)

// flagsOfLimits are the flags that set limits.
var flagsOfLimits = map[archive.Limit]string{
	archive.LimitBytes: "archive-max-bytes", archive.LimitRatio: "archive-max-ratio", archive.LimitEntries: "archive-max-entries",
	archive.LimitDepth: "archive-depth", archive.LimitWindow: "archive-max-window", archive.LimitSpool: "temp-max-bytes",
}

// messageOfInput returns the message for an error of an input. The input's name is
// not part of it: it is printed before the message.
func messageOfInput(path string, err error) string {
	var damage *decode.Error
	if errors.Is(err, decode.ErrNotETL) && errors.As(err, &damage) {
		return strings.Replace(err.Error(), damage.Error(), damage.Err.Error(), 1) // without the position: the file is no trace at all
	}
	var different *bundle.DifferentError
	if errors.As(err, &different) {
		return differentText(different)
	}
	var limit *archive.LimitError
	if errors.As(err, &limit) && flagsOfLimits[limit.Limit] != "" {
		return fmt.Sprintf("%v; see --%s", err, flagsOfLimits[limit.Limit])
	}
	return messageOf(inputs.WithoutPath(path, err))
}

// messageOf returns the message of an error without the operations and system calls
// that Go's packages put into theirs.
func messageOf(err error) string {
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
		return err.Path + ": " + messageOf(err.Err)
	case *os.LinkError:
		return err.New + ": " + messageOf(err.Err)
	case *os.SyscallError:
		return messageOf(err.Err)
	case *net.OpError:
		if err.Addr == nil {
			return messageOf(err.Err)
		}
		return err.Addr.String() + ": " + messageOf(err.Err)
	case *answers.MemoryError:
		return err.Error() + ": raise --memory, or ask for fewer rows and columns, and shorter lists and texts"
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
