package main

import (
	"slices"
	"strings"

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
