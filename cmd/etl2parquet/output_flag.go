package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/inputs"
)

// outputValue is the value of the flag --output. It rejects a second value, which
// would otherwise silently replace the first.
type outputValue struct{ path *string }

func (v outputValue) Type() string   { return "string" }
func (v outputValue) String() string { return *v.path }

func (v outputValue) Set(text string) error {
	if text == "utput" { // -output means -o utput
		return errors.New("write --output with two dashes, or -o")
	}
	path, err := inputs.LocalPath(text)
	switch {
	case err != nil:
		return err
	case *v.path != "" && *v.path != path:
		return fmt.Errorf("there can be only one, but %q and %q are given", *v.path, path)
	}
	*v.path = path
	return nil
}

// pathValue is the value of a flag for a file or folder that is written. Like the names of inputs, it
// may begin with "~", or be a file: URL.
type pathValue struct{ path *string }

func (v pathValue) Type() string   { return "string" }
func (v pathValue) String() string { return *v.path }

func (v pathValue) Set(text string) (err error) {
	*v.path, err = inputs.LocalPath(text)
	return err
}

// outputOption is the option for the output of a command that needs one.
func outputOption(path *string, usage string, complete cobra.CompletionFunc) []option {
	return []option{{flag: "output,o", value: outputValue{path}, usage: usage, complete: complete}}
}
