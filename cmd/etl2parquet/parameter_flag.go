package main

import (
	"fmt"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/answers"
)

// parameterList is the value of a flag that sets parameters of SQL.
type parameterList []answers.Parameter

func (l *parameterList) Type() string   { return "NAME=VALUE" }
func (l *parameterList) String() string { return "" }

func (l *parameterList) Set(text string) error {
	p, err := answers.ParseParameter(text)
	switch {
	case err != nil && !strings.Contains(text, "="): // -p is the letter of --provider in other commands
		return fmt.Errorf("%w; --provider selects events of a provider", err)
	case err != nil:
		return err
	}
	*l = append(*l, p)
	return nil
}

// withoutLetter returns options of which the named one has no letter, since another option of the command
// has it.
func withoutLetter(list []option, name string) []option {
	for i := range list {
		if list[i].name() == name {
			list[i].noLetter = true
		}
	}
	return list
}
