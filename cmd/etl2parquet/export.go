package main

import (
	"context"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/internal/doors/export"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
)

// exportFlags are the flags of export.
type exportFlags struct {
	traceFlags
	format  choice
	output  string
	force   bool
	of      choice
	options export.Options
}

func (a *app) exportCommand() *cobra.Command {
	f := &exportFlags{format: choice{"", export.Names()}, of: choice{string(export.Samples), export.Kinds()}}
	cmd := newCommand("export", &cobra.Command{
		Args: func(cmd *cobra.Command, args []string) error {
			return errors.Join(f.source.checkArgs(cmd, args), f.checkOutput(cmd))
		},
		ValidArgsFunction: completeTraces,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.export(cmd.Context(), f, args) },
	}, []option{
		{flag: "format", value: &f.format, usage: "`format` of the file: " + f.format.listed() + "; default: by the extension of --output"},
	}, outputOption(&f.output, "write this `file`; - for standard output", completeFiles), []option{
		{flag: "force", value: &f.force, usage: "replace the file if it exists"},
		{flag: "of", value: &f.of, usage: "`kind` of events that profiles add up: " + f.of.listed()},
		{flag: "idle", value: &f.options.Idle, usage: "keep samples of idle processors"},
		{flag: "all-components", value: &f.options.AllComponents, usage: "every appearance of a packet, at each component that it passes"},
		{flag: "by-process", value: &f.options.ByProcess, usage: "make one profile of each process, where a format has profiles of threads"},
	}, f.cache.flags(), f.selection.flags(), f.redact.flags(), f.schemas.flags(), f.symbols.flags(), strictOption(&f.strict, "treat damage in a trace as an error"), f.resources.flags(), f.source.flags())
	cmd.Long = strings.Replace(cmd.Long, "{formats}\n", export.List(), 1)
	return cmd
}

// checkOutput checks that there is an output, whose name may say the format.
func (f *exportFlags) checkOutput(cmd *cobra.Command) error {
	if f.output == "" {
		return usagef("name the file with -o, or - for standard output; see %s --help", cmd.CommandPath())
	}
	if f.format.value == "" && f.output == inputs.Stdin {
		return usagef("name the format of standard output with --format; see %s --help", cmd.CommandPath())
	}
	format, err := export.Find(f.format.value, f.output)
	if err != nil {
		return usagef("--output %s: %w; or name the format with --format", f.output, err)
	}
	if f.redact.redact && format.Packets {
		return usagef("--redact: packets in the format %s have addresses and texts of anybody in them, which nothing replaces: export them without --redact, or do not share them", format.Name)
	}
	return f.checkUsed(cmd, format)
}

// checkUsed refuses flags that the file of a format does not depend on.
func (f *exportFlags) checkUsed(cmd *cobra.Command, format *export.Format) error {
	isProfile := func(f *export.Format) bool { return f.IsProfile }
	uses := map[string]func(*export.Format) bool{
		"of": isProfile, "idle": isProfile,
		"by-process":     func(f *export.Format) bool { return f.HasProcesses },
		"all-components": func(f *export.Format) bool { return f.Packets },
	}
	for _, o := range new(symbolFlags).flags() {
		uses[o.name()] = isProfile
	}
	for _, flag := range slices.Sorted(maps.Keys(uses)) {
		if !cmd.Flags().Changed(flag) || uses[flag](format) {
			continue
		}
		var others []string
		for _, other := range export.All() {
			if uses[flag](other) {
				others = append(others, other.Name)
			}
		}
		return usagef("--%s is for %s, and the format is %s", flag, strings.Join(others, ", "), format.Name)
	}
	if f.options.Idle && export.Kind(f.of.value) != export.Samples {
		return usagef("--idle is for --of %s, and not for --of %s", export.Samples, f.of.value)
	}
	return nil
}

// export writes traces as a file of another program.
func (a *app) export(ctx context.Context, f *exportFlags, args []string) (err error) {
	format, err := export.Find(f.format.value, f.output)
	if err != nil {
		return err
	}
	w, end, err := a.exportFile(format, f.output, f.force)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end(err == nil || errors.Is(err, answers.ErrSomeFailed))) }()
	return a.withTraces(ctx, &f.traceFlags, args, func(r *job, traces *etl2parquet.Traces) error {
		return r.exportTraces(f, format, traces, w)
	})
}

// exportTraces writes the file, and reports what its format leaves out.
func (r *job) exportTraces(f *exportFlags, format *export.Format, traces *etl2parquet.Traces, w io.Writer) error {
	o := f.options
	o.Scan, o.Of, o.TempDir = r.scan(), export.Kind(f.of.value), f.source.tempDir
	o.Scan.Memory = max(r.Options.Memory/2, minMemory) // two tables are read at a time
	o.Note = func(text string) { r.warnAll([]string{printable(text)}) }
	err := format.Write(r.ctx, traces, w, o)
	if lack := new(export.LackError); errors.As(err, &lack) {
		return r.lacks(traces, lack)
	}
	var found problemLog
	for _, trace := range traces.All() {
		found.add(trace.Input(), trace.Problems())
	}
	const where = "cat --table problems"
	r.warnAll(found.lines(where, func(string) string { return "see " + where }))
	return err
}

// lacks returns the error for traces without what the format needs: with the parts of the selection
// that match nothing, and the flags that export something else.
func (r *job) lacks(traces *etl2parquet.Traces, lack *export.LackError) error {
	text := lack.Text
	if len(lack.Others) > 0 {
		var flags []string
		for _, kind := range lack.Others {
			flags = append(flags, "--of "+string(kind))
		}
		text += " (" + strings.Join(flags, ", ") + ")"
	}
	for _, trace := range traces.All() {
		list, _, err := trace.Mismatches(r.scan())
		if err != nil {
			return err
		}
		for i := range list {
			text = list[i].Message + "; " + text
		}
	}
	return errors.New(printable(text))
}

// exportFile begins the output: a file that gets its name when it is complete, or standard output.
func (a *app) exportFile(format *export.Format, path string, force bool) (io.Writer, func(keep bool) error, error) {
	if path == inputs.Stdin {
		if format.Binary && terminal(a.out) != nil {
			return nil, nil, usagef("--format %s is binary; use -o FILE", format.Name)
		}
		return a.out, func(bool) error { return nil }, nil
	}
	file, err := newOutput(path, force)
	if err != nil {
		return nil, nil, err
	}
	return file, file.end, nil
}
