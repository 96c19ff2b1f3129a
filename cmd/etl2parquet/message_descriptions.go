package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
)

// maxDescriptions bounds the errors in files that describe events.
const maxDescriptions = 20

// messagesOfDescriptions returns the warnings for errors in files that describe events.
func messagesOfDescriptions(errs []error) []string {
	var lines []string
	for _, err := range errs[:min(len(errs), maxDescriptions)] {
		line := "warning: " + texts.Printable(err.Error())
		if of := new(catalog.FileErrors); errors.As(err, &of) && len(of.List) > 1 {
			line += fmt.Sprintf("; \"etl2parquet catalog build %s --details\" lists them", texts.ShellWord(of.Path))
		}
		lines = append(lines, line)
	}
	if n := len(errs) - maxDescriptions; n > 0 {
		lines = append(lines, fmt.Sprintf("warning: %d more errors in manifests and TMF files are not listed", n))
	}
	return lines
}

// besideListed bounds the names in a message.
const besideListed = 3

// messageOfFilesBeside returns the message about files beside traces that describe their events.
func messageOfFilesBeside(paths []string) string {
	var names []string
	for _, path := range paths[:min(len(paths), besideListed)] {
		names = append(names, texts.Printable(filepath.Base(path)))
	}
	text := "events are also described by " + strings.Join(names, " and ")
	if more := len(paths) - besideListed; more > 0 {
		text += fmt.Sprintf(" and %d more files", more)
	}
	return text + ", beside the trace of that name"
}
