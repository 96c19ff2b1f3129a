package main

import (
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/cmd/etl2parquet/internal/usage"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
)

// checkArgs requires inputs and SQL: the SQL is the last argument, unless it is in a file. If the last
// argument is an input, too, there is no SQL, and query opens a shell.
func (f *queryFlags) checkArgs(cmd *cobra.Command, args []string) error {
	if f.file == "" {
		if err := unquotedSQL(cmd.CommandPath(), args); err != nil {
			return err
		}
		switch {
		case len(args) == 0 && f.source.list == "":
			return usagef("no input and no SQL; see %s --help", cmd.CommandPath())
		case len(args) == 0, usage.IsLikeInput(args[len(args)-1]), inputs.IsPattern(args[len(args)-1]) && !strings.ContainsAny(args[len(args)-1], " \n"):
			f.isShell = true
			return f.source.checkArgs(cmd, args)
		case len(args) == 1 && f.source.list == "":
			return usagef("query needs an input and SQL, and there is only %q; see %s --help", args[0], cmd.CommandPath())
		}
		args = args[:len(args)-1]
	}
	for _, arg := range args {
		if arg == inputs.Stdin && f.file == inputs.Stdin {
			return usagef("standard input cannot be both a trace (-) and SQL (-f -)")
		}
	}
	if f.source.list == inputs.Stdin && f.file == inputs.Stdin {
		return usagef("standard input cannot be both a list (--files-from -) and SQL (-f -)")
	}
	return f.source.checkArgs(cmd, args)
}

// sql returns the inputs and the SQL.
func (f *queryFlags) sql(args []string, stdin io.Reader) (traces []string, sql string, err error) {
	if f.file == "" {
		return args[:len(args)-1], args[len(args)-1], nil
	}
	var text []byte
	if f.file == inputs.Stdin {
		text, err = io.ReadAll(stdin)
	} else {
		text, err = os.ReadFile(f.file)
	}
	if err != nil {
		return nil, "", usageError{fileError("file", f.file, err)}
	}
	return args, string(text), nil
}
