package main

import (
	"context"
	"io"
	"os"
	"strings"
)

// stopVariable names the environment variable that says what ends the program. "stdin" means the
// end of standard input, which is then not read otherwise. The Python package holds the other end
// of that pipe, so the program ends with the process that started it, on every system, even if that
// process is killed.
const stopVariable = "ETL2PARQUET_STOP"

// stopWith returns a context that is cancelled at the event that the variable's value names. It
// removes the variable, because child processes have other standard inputs.
func (a *app) stopWith(ctx context.Context, value string) context.Context {
	if value != "stdin" {
		return ctx
	}
	os.Unsetenv(stopVariable)
	ctx, cancel := context.WithCancel(ctx)
	go func(input io.Reader) {
		io.Copy(io.Discard, input) // an error ends the input, too
		cancel()
	}(a.in)
	a.in = strings.NewReader("")
	return ctx
}
