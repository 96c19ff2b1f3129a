package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/base/reach"
	"github.com/etl2parquet/etl2parquet/internal/base/remote"
)

// app is one run of the program.
type app struct {
	program    string // as the user named it, or ""
	args       []string
	in         io.Reader
	out        *output
	err        io.Writer
	patience   remote.Patience // timeouts and retries of servers
	ticker     newTicker       // for the progress
	minIndexed int64           // the least size of a trace whose index is kept; 0: the default
	from       *reach.Files    // that may be opened because of inputs; nil: all
	refused    int             // inputs that failed because a server refuses the credentials
}

// newTicker is time.NewTicker, except in tests: their output must not depend on
// how long they take.
type newTicker func(time.Duration) *time.Ticker

// run runs the program and returns its exit status.
func (a *app) run(ctx context.Context, args []string) int {
	a.args = args
	root := a.rootCommandOf(args)
	root.SetArgs(asArguments(root, args))
	root.SetOut(a.out)
	root.SetErr(a.err)
	begun := false // an error before the command begins means a wrong command line
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		begun = true
		return oneDash(args, cmd.Flags())
	}
	err := root.ExecuteContext(ctx)
	if err != nil && !begun && !errors.As(err, new(usageError)) {
		err = usageError{err}
	}
	if isClosedPipe(a.out.err) && (err == nil || isClosedPipe(err)) {
		return exitDone // the reader of the output, such as head, has ended
	}
	if err == nil && a.out.err != nil {
		err = fmt.Errorf("write to standard output: %w", a.out.err)
	}
	return a.exit(err)
}
