package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/cmd/etl2parquet/internal/usage"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
)

// sqlVerbs are the words with which SQL begins.
var sqlVerbs = []string{"select", "from", "with", "describe", "show", "summarize", "explain", "pivot", "unpivot", "values", "create", "set", "install", "load"}

// unquotedSQL returns an error that quotes the SQL if a shell has split it into several arguments, or
// nil.
func unquotedSQL(command string, args []string) error {
	first := slices.IndexFunc(args, func(arg string) bool {
		words := strings.Fields(arg)
		return len(words) > 0 && slices.Contains(sqlVerbs, strings.ToLower(words[0])) && !usage.IsLikeInput(arg)
	})
	if first < 0 || first == len(args)-1 {
		return nil
	}
	words := []string{command}
	for _, input := range args[:first] {
		words = append(words, texts.ShellWord(input))
	}
	if first == 0 {
		words = append(words, "INPUT")
	}
	return usagef("quote the SQL: %s", printable(strings.Join(append(words, texts.ShellWord(strings.Join(args[first:], " "))), " ")))
}

// sqlAfterComment is an argument that is SQL with a comment first, and no flag.
var sqlAfterComment = texts.Pattern(`^--[^=\s]*\s`)

// asArguments returns arguments in which SQL that begins with a comment begins with a space, because it would be
// taken for a flag. The value of a flag stays as it is.
func asArguments(root *cobra.Command, args []string) []string {
	args = slices.Clone(args)
	for i, arg := range args {
		if !sqlAfterComment().MatchString(arg) || i > 0 && takesValue(root, args, args[i-1]) {
			continue
		}
		args[i] = " " + arg
	}
	return args
}

// takesValue reports whether an argument is a flag whose value is the next argument.
func takesValue(root *cobra.Command, args []string, arg string) bool {
	cmd, _, err := root.Find(args)
	if err != nil || len(arg) < 2 || arg[0] != '-' || strings.Contains(arg, "=") {
		return false
	}
	flag := cmd.Flags().Lookup(strings.TrimPrefix(arg, "--"))
	if arg[1] != '-' {
		flag = cmd.Flags().ShorthandLookup(arg[len(arg)-1:])
	}
	return flag != nil && flag.NoOptDefVal == ""
}
