package main

import (
	"fmt"
	"regexp"
	"time"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/formats"
)

// logFlags select the lines of logs, and their form.
type logFlags struct {
	local bool
	grep  pattern
}

// pattern is the value of a flag for a regular expression.
type pattern struct{ *regexp.Regexp }

func (p *pattern) Type() string { return "string" }

func (p *pattern) String() string {
	if p.Regexp == nil {
		return ""
	}
	return p.Regexp.String()
}

func (p *pattern) Set(text string) (err error) {
	p.Regexp, err = regexp.Compile(text)
	return err
}

func (f *logFlags) flags() []option {
	return []option{
		{flag: "grep", value: &f.grep, usage: "print only lines that match this regular `expression`, of RE2; (?i) ignores case"},
		{flag: "local", value: &f.local, usage: "print times in the zone of this machine, in --format text"},
	}
}

// check checks the flags for a format.
func (f *logFlags) check(format *formats.Format) error {
	switch {
	case f.grep.Regexp != nil && !format.Greps:
		return usagef("--grep chooses lines, and --format %s has none; use it with %s", format, listOf(func(f *formats.Format) bool { return f.Greps }))
	case f.local && format != formats.Text:
		return usagef("--local goes with --format text: other formats have times in UTC")
	}
	return nil
}

// listOf returns the names of some formats, for messages.
func listOf(belongs func(*formats.Format) bool) (names string) {
	for _, f := range formats.All() {
		if belongs(f) {
			if names != "" {
				names += ", "
			}
			names += f.Name
		}
	}
	return names
}

// zone returns the zone of times in text; nil means UTC.
func (f *logFlags) zone() *time.Location {
	if f.local {
		return time.Local
	}
	return nil
}

// withMessages makes records of logs have all messages, unless a flag says otherwise.
func (f *catFlags) withMessages(cmd *cobra.Command) error {
	format, err := formats.Find(f.format.value)
	if err != nil {
		return fmt.Errorf("--format: %w", err)
	}
	if format.IsLog && !cmd.Flags().Changed("messages") {
		f.content.messages.value = messageModes[etl2parquet.MessagesAll]
	}
	return f.logFlags.check(format)
}
