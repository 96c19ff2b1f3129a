package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/formats"
	"github.com/etl2parquet/etl2parquet/internal/reading"
	"github.com/etl2parquet/etl2parquet/schema"
)

// flagsOfWholeTraces are the flags that cat cannot obey for a trace that grows.
var flagsOfWholeTraces = []string{"split", "as", "index", "strict", "files-from", "redact"}

// followFlags say whether traces grow, and how far they were printed.
type followFlags struct {
	follow bool
	state  string // path of the file that says so
}

func (f *followFlags) flags() []option {
	return []option{
		{flag: "follow", value: &f.follow, usage: "print events as the traces grow, until interrupted"},
		{flag: "state", value: &f.state, complete: completeFiles, usage: "with --follow: go on where the last run ended, as this `file` says"},
	}
}

// follow prints the events of traces that grow.
func (a *app) follow(cmd *cobra.Command, f *catFlags, args []string) error {
	for _, name := range flagsOfWholeTraces {
		if cmd.Flags().Changed(name) {
			return usagef("--follow cannot be combined with --%s", name)
		}
	}
	if f.table != "" && f.table != schema.EventsName {
		return usagef("--follow prints events: --table %s is of whole traces; select with --event", f.table)
	}
	format, err := a.formatOf(f.format.value, true, "write it into a file with > FILE")
	if err != nil {
		return err
	}
	r, err := a.begin(cmd.Context(), &f.traceFlags)
	if err != nil {
		return err
	}
	defer r.close()
	scan := reading.Scan{Table: f.table, Columns: f.columns, Selection: r.Options.Selection, Payload: r.Options.Payload, Limit: f.most()}
	shown, err := format.Columns(schema.EventsTable())
	if err != nil {
		return err
	}
	if shown == nil && f.columns == nil && f.table == "" {
		scan.Columns = formats.EventColumns
	}
	out, end := forFormat(r.out, f.format.value)
	if r.sent = r.sender(f); r.sent != nil {
		out = r.sent
	}
	_, err = reading.Follow(r.ctx, args, out, scan, reading.FollowOptions{
		Trace: r.Reading(), Write: reading.WriteOptions{Format: format.Name, Options: formats.Options{Keep: f.grep.Regexp, Zone: f.zone()}},
		State: f.state, OnMessage: func(text string) { r.warn("%s", printable(text)) },
	})
	if errors.Is(err, reading.ErrNotFollowed) {
		err = usageError{fmt.Errorf("--follow: %w", err)}
	}
	if r.sent != nil {
		r.endSent(err)
		err = cmp.Or(err, r.sent.result)
	}
	return errors.Join(err, end())
}

// endSent reports what became of the records. An interrupt is the usual end of following.
func (r *job) endSent(err error) {
	if errors.Is(err, context.Canceled) && r.sent.failed == nil {
		err = nil
	}
	r.sent.end(r, err)
}

// checkState checks the flag --state.
func (f *catFlags) checkState() error {
	if f.state == "" {
		return nil
	}
	if !f.follow {
		return usagef("--state needs --follow")
	}
	if info, err := os.Stat(filepath.Dir(f.state)); err != nil || !info.IsDir() {
		return usagef("--state %s: there is no folder %s", f.state, filepath.Dir(f.state))
	}
	return nil
}
