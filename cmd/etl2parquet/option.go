package main

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// option is an option of the command line: its flag, what the flag sets, and what shells complete.
type option struct {
	flag     string               // and its letter, as in "output,o"
	noLetter bool                 // the flag has no letter in this command
	value    any                  // points to what the flag sets, which has the default; see add
	usage    string               // `word` names the value
	within   *span                // the range of a number, a size or a duration; nil for other values
	shown    string               // the default that the help shows; "" shows the value's
	complete cobra.CompletionFunc // nil: by the value if it has words, else nothing
}

// name returns the name of the flag.
func (o *option) name() string {
	name, _, _ := strings.Cut(o.flag, ",")
	return name
}

// commaList is the value of a flag that takes several words, separated by commas.
type commaList []string

// textList is the value of a flag that can be repeated. The library's makes a writer of CSV for each flag of
// each command, at every start.
type textList struct {
	list  *[]string
	given bool // the list is no longer the default
}

// Set implements pflag.Value.
func (t *textList) Set(text string) error {
	if !t.given {
		*t.list, t.given = nil, true
	}
	*t.list = append(*t.list, text)
	return nil
}

// Type implements pflag.Value. The library completes a flag again if the name has "Array".
func (t *textList) Type() string { return "stringArray" }

// String implements pflag.Value.
func (t *textList) String() string {
	if t.list == nil { // of no flag: the library compares with such a value
		return ""
	}
	return strings.Join(*t.list, ",")
}

// add adds the flag to a command. A flag for a []string can be repeated.
func (o *option) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	name, letter, _ := strings.Cut(o.flag, ",")
	if letter = cmp.Or(letter, letters[name]); o.noLetter {
		letter = ""
	}
	switch v := o.value.(type) {
	case *bool:
		flags.BoolVarP(v, name, letter, *v, o.usage)
	case *int:
		flags.IntVarP(v, name, letter, *v, o.usage)
	case *int64:
		flags.Int64VarP(v, name, letter, *v, o.usage)
	case *string:
		flags.StringVarP(v, name, letter, *v, o.usage)
	case *[]string:
		flags.VarP(&textList{v, false}, name, letter, o.usage)
	case *commaList:
		flags.StringSliceVarP((*[]string)(v), name, letter, *v, o.usage)
	case *time.Duration:
		flags.DurationVarP(v, name, letter, *v, o.usage)
	case pflag.Value:
		flags.VarP(v, name, letter, o.usage)
	default:
		panic(fmt.Sprintf("--%s sets a %T", name, v))
	}
	o.check(flags.Lookup(name))
	if o.shown != "" {
		flags.Lookup(name).DefValue = o.shown
	}
	complete := o.complete
	if words, ok := o.value.(interface{ words() []string }); ok {
		complete = completeWords(words.words()...)
	}
	if complete == nil {
		complete = cobra.NoFileCompletions
	}
	if err := cmd.RegisterFlagCompletionFunc(name, complete); err != nil {
		panic(err) // the command has completions for the flag
	}
}

// jsonOption is the option for results as JSON.
func jsonOption(value *bool, usage string) []option {
	return []option{{flag: "json", value: value, usage: usage}}
}

// strictOption is the option by which damage is an error.
func strictOption(value *bool, usage string) []option {
	return []option{{flag: "strict", value: value, usage: usage}}
}
