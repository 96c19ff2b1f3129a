// Package usage makes the errors for wrong command lines, and suggests what was probably meant.
package usage

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/inputs/archive"
)

// Command returns the error for a command line whose first word is no command.
func Command(root *cobra.Command, args []string, word string) error {
	return cmp.Or(withoutCommand(root, args), UnknownCommand(root, word))
}

// Flag returns the error for a wrong flag on the command line.
func Flag(cmd *cobra.Command, args []string, err error) error {
	if !cmd.HasParent() {
		return cmp.Or(withoutCommand(cmd, args), wrongFlag(cmd, args, err))
	}
	return wrongFlag(cmd, args, err)
}

// ErrEmptyValue is the error for an empty text as the value of a flag.
var ErrEmptyValue = errors.New("it is empty: is a variable of the command line empty?")

// RangeError is the error for a number, as the value of a flag, that is out of range.
type RangeError struct{ Least, Most string } // Most is "" if there is no upper limit

func (e *RangeError) Error() string {
	if e.Most == "" {
		return fmt.Sprintf("it must be %s or more", e.Least)
	}
	return fmt.Sprintf("it must be %s to %s", e.Least, e.Most)
}

func wrongFlag(cmd *cobra.Command, args []string, err error) error {
	var invalid *pflag.InvalidValueError
	var missing *pflag.ValueRequiredError
	var unknown *pflag.NotExistError
	text, isInvalid := err.Error(), errors.As(err, &invalid)
	switch {
	case isInvalid && errors.Is(err, ErrEmptyValue):
		return fmt.Errorf("--%s: %w", invalid.GetFlag().Name, ErrEmptyValue)
	case isInvalid && errors.As(err, new(*RangeError)):
		return fmt.Errorf("--%s %s: %w", invalid.GetFlag().Name, texts.ShellWord(invalid.GetValue()), invalid.Unwrap())
	case isInvalid:
		text = fmt.Sprintf("--%s: %s", invalid.GetFlag().Name, valueProblem(invalid))
	case errors.As(err, &missing):
		text = fmt.Sprintf("--%s needs a value", missing.GetFlag().Name)
	case errors.As(err, &unknown):
		return unknownFlag(cmd, args, unknown)
	}
	if strings.HasSuffix(text, "?") { // it has a suggestion
		return errors.New(text)
	}
	return fmt.Errorf("%s; see %s --help", text, cmd.CommandPath())
}

// valueProblem explains why the value of a flag is invalid.
func valueProblem(invalid *pflag.InvalidValueError) string {
	value, cause := invalid.GetValue(), invalid.Unwrap()
	switch invalid.GetFlag().Value.Type() {
	case "int", "int64":
		if errors.Is(cause, strconv.ErrRange) {
			return fmt.Sprintf("%s is out of range", value)
		}
		return fmt.Sprintf("%q is not a whole number", value)
	case "bool":
		return fmt.Sprintf("%q is neither true nor false", value)
	case "duration":
		return fmt.Sprintf("%q is not a duration such as 90s or 24h", value)
	}
	return cause.Error()
}

// unknownFlag returns the error for a flag that the command does not have. It
// suggests the most similar flag of the command.
func unknownFlag(cmd *cobra.Command, args []string, unknown *pflag.NotExistError) error {
	word := "--" + unknown.GetSpecifiedName()
	if letters := unknown.GetSpecifiedShortnames(); letters != "" { // for -quiet these are "uiet"
		isOrigin := func(arg string) bool { return arg[:min(1, len(arg))] == "-" && strings.HasSuffix(arg, letters) }
		word = "-" + letters
		if i := slices.IndexFunc(args, isOrigin); i >= 0 {
			word = args[i]
		}
	}
	if name := strings.TrimLeft(word, "-"); len(name) > 1 {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if similar := texts.Nearest(name, names); len(similar) > 0 {
			return fmt.Errorf("unknown flag: %s; did you mean --%s?", word, similar[0])
		}
	}
	if others := withFlag(cmd.Root(), word); cmd.HasParent() && len(others) > 0 {
		hint := ""
		if word == "-o" || word == "--output" {
			hint = "; it prints to standard output: write > FILE"
		}
		return fmt.Errorf("unknown flag: %s; it belongs to %s, not to %s%s", word, strings.Join(others, ", "), commandName(cmd), hint)
	}
	return fmt.Errorf("unknown flag: %s; see %s --help", word, cmd.CommandPath())
}

// withFlag returns the names of the commands below a command that have a flag.
func withFlag(cmd *cobra.Command, word string) (names []string) {
	name := strings.TrimLeft(word, "-")
	for _, sub := range cmd.Commands() {
		if len(name) > 1 && sub.Flags().Lookup(name) != nil || len(name) == 1 && sub.Flags().ShorthandLookup(name) != nil {
			names = append(names, commandName(sub))
		}
		names = append(names, withFlag(sub, word)...)
	}
	return names
}

// commandName returns the words of a command after the name of the program.
func commandName(cmd *cobra.Command) string {
	_, name, _ := strings.Cut(cmd.CommandPath(), " ")
	return name
}

// withoutCommand returns the error for a command line without a command. If an
// input stands in place of the command, the error suggests the command line that
// was probably meant. It returns nil if there are only flags.
func withoutCommand(root *cobra.Command, args []string) error {
	for _, name := range []string{"convert", "info"} {
		cmd, _, err := root.Find([]string{name})
		if err != nil || cmd.ParseFlags(args) != nil {
			continue // these flags belong to another command
		}
		inputs := cmd.Flags().Args()
		if len(inputs) == 0 {
			return nil
		}
		if !IsLikeInput(inputs[0]) {
			return UnknownCommand(root, inputs[0])
		}
		words := slices.Clone(args)
		if name == "convert" && cmd.Flags().Lookup("output").Value.String() == "" {
			output := "DIR"
			if likely := likelyOutput(inputs); likely != "" {
				words = slices.DeleteFunc(words, func(word string) bool { return word == likely })
				output = likely
			}
			words = append(words, "-o", output)
		}
		for i, word := range words {
			words[i] = texts.ShellWord(word)
		}
		return fmt.Errorf("%q is not a command; to %s it, run: etl2parquet %s %s", inputs[0], verbs[name], name, strings.Join(words, " "))
	}
	return nil
}

// verbs are the verbs that say what a command does with an input.
var verbs = map[string]string{"convert": "convert", "info": "inspect"}

// IsLikeInput reports whether a word of the command line names an input.
func IsLikeInput(word string) bool {
	path, err := inputs.LocalPath(word)
	if err == nil {
		_, err = os.Stat(path)
	}
	return err == nil || inputs.IsURL(word) || archive.TraceName(word) || inputs.IsArchiveName(word)
}

// likelyOutput returns the last of several inputs if it was probably meant as the
// output: it is a folder, or it does not exist and does not look like an input.
// Otherwise it returns "".
func likelyOutput(words []string) string {
	if len(words) < 2 {
		return ""
	}
	last := words[len(words)-1]
	info, err := os.Stat(last)
	if err == nil && info.IsDir() || err != nil && !IsLikeInput(last) && !inputs.IsPattern(last) {
		return last
	}
	return ""
}

// NoOutput returns the error for a command without --output.
func NoOutput(inputs []string) error {
	hint := ""
	if likely := likelyOutput(inputs); likely != "" {
		hint = fmt.Sprintf("; did you mean -o %s?", texts.ShellWord(likely))
	}
	return fmt.Errorf("no output: name the folder of the dataset with -o DIR%s", hint)
}

// shown returns the commands below a command that its help lists.
func shown(parent *cobra.Command) (list []*cobra.Command) {
	for _, c := range parent.Commands() {
		if c.IsAvailableCommand() {
			list = append(list, c)
		}
	}
	return list
}

// UnknownCommand returns the error for a word that is not a command below parent. It suggests similar
// commands.
func UnknownCommand(parent *cobra.Command, name string) error {
	parent.SuggestionsMinimumDistance = max(parent.SuggestionsMinimumDistance, 2)
	if similar := parent.SuggestionsFor(name); len(similar) > 0 {
		return fmt.Errorf("unknown command %q; %s", name, texts.DidYouMean(similar))
	}
	if commands := shown(parent); len(commands) == 1 { // as before an input: symbols boot.etl
		return fmt.Errorf("unknown command %q; did you mean %s %s?", name, parent.CommandPath(), commands[0].Name())
	}
	return fmt.Errorf("unknown command %q; see %s --help", name, parent.CommandPath())
}
