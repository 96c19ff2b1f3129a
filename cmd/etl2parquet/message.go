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
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
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

// maxDescriptions bounds the errors in files that describe events.
const maxDescriptions = 20

// messagesOfDescriptions returns the warnings for errors in files that describe events.
func messagesOfDescriptions(errs []error) []string {
	var lines []string
	for _, err := range errs[:min(len(errs), maxDescriptions)] {
		line := "warning: " + texts.Printable(err.Error())
		if files := new(catalog.FileErrors); errors.As(err, &files) && len(files.List) > 1 {
			line += fmt.Sprintf("; \"etl2parquet catalog build %s --details\" lists them", texts.ShellWord(files.Path))
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

// optionFlags are the flags of convert that set the options of a commit record.
var optionFlags = map[bundle.Option]string{
	bundle.OptionPayload: "payload", bundle.OptionMessages: "messages", bundle.OptionFields: "fields", bundle.OptionMaxTables: "max-tables", bundle.OptionCompression: "compression", bundle.OptionUnsigned: "unsigned",
	bundle.OptionFrom: "from", bundle.OptionTo: "to", bundle.OptionProviders: "provider", bundle.OptionEvents: "event", bundle.OptionProcesses: "process", bundle.OptionLevel: "level", bundle.OptionKeywords: "keyword", bundle.OptionTables: "table", bundle.OptionColumns: "columns", bundle.OptionNeeds: "table",
	bundle.OptionManifests: "manifest", bundle.OptionTMF: "tmf", bundle.OptionCatalogs: "catalog", bundle.OptionSymbols: "symbols",
}

// maxValues bounds the values of a flag that a message lists.
const maxValues = 5

// differentText is the message for a trace that was converted before with other flags.
func differentText(e *bundle.DifferentError) string {
	var with, without, asked, notAsked []string
	for _, d := range e.Differences {
		flag := "--" + optionFlags[d.Option]
		switch d.Option {
		case bundle.OptionManifests, bundle.OptionTMF, bundle.OptionCatalogs, bundle.OptionSymbols:
			with = append(with, flagValues(flag, d.Had))
			notAsked = append(notAsked, flagValues(flag, d.Had))
			continue
		case bundle.OptionColumns:
			d.Had, d.Asked = oneList(d.Had), oneList(d.Asked)
		case bundle.OptionFields:
			d.Had, d.Asked = fieldsWords[d.Had[0]], fieldsWords[d.Asked[0]]
		}
		if len(d.Had) > 0 {
			with = append(with, flagValues(flag, d.Had))
		} else {
			without = append(without, flag)
		}
		if len(d.Asked) > 0 {
			asked = append(asked, flagValues(flag, d.Asked))
		} else {
			notAsked = append(notAsked, flag)
		}
	}
	return fmt.Sprintf("converted before %s; this run asks for %s: use --force to replace it, or another -o",
		listed("with ", with, "without ", without), listed("", asked, "no ", notAsked))
}

// fieldsWords are the values of --fields, by the value in the commit record.
var fieldsWords = map[string][]string{"true": {"json"}, "false": {"none"}}

// listed joins two lists, each introduced by a word; either may be empty.
func listed(word string, list []string, otherWord string, others []string) string {
	var parts []string
	if len(list) > 0 {
		parts = append(parts, word+strings.Join(list, ", "))
	}
	if len(others) > 0 {
		parts = append(parts, otherWord+strings.Join(others, ", "))
	}
	return strings.Join(parts, " and ")
}

// oneList joins values into one value of a flag that takes a list.
func oneList(values []string) []string {
	if len(values) == 0 {
		return nil
	}
	return []string{strings.Join(values, ",")}
}

// flagValues repeats a flag with each value, up to maxValues.
func flagValues(flag string, values []string) string {
	var words []string
	for _, value := range values[:min(len(values), maxValues)] {
		words = append(words, flag+" "+texts.ShellWord(value))
	}
	if n := len(values) - maxValues; n > 0 {
		words = append(words, fmt.Sprintf("and %d more", n))
	}
	return strings.Join(words, " ")
}

// printable and counted have short names here, because most messages need one of them.

func printable(text string) string { return texts.Printable(text) }

func counted(n int64, thing string) string { return texts.Counted(n, thing) }
