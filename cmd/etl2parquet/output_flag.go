package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
)

// outputValue is the value of the flag --output. It rejects a second value, which
// would otherwise silently replace the first.
type outputValue struct{ path *string }

func (v outputValue) Type() string   { return "string" }
func (v outputValue) String() string { return *v.path }

func (v outputValue) Set(text string) error {
	switch {
	case text == "utput": // -output means -o utput
		return errors.New("write --output with two dashes, or -o")
	case *v.path != "" && *v.path != text:
		return fmt.Errorf("there can be only one, but %q and %q are given", *v.path, text)
	}
	*v.path = text
	return nil
}

// outputOption is the option for the output of a command that needs one.
func outputOption(path *string, usage string, complete cobra.CompletionFunc) []option {
	return []option{{flag: "output,o", value: outputValue{path}, usage: usage, complete: complete}}
}
