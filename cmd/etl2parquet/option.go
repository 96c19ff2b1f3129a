package main

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/etl2parquet/etl2parquet/cmd/etl2parquet/internal/usage"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
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

// span is the range of the values of a number, a size or a duration, with both ends.
type span struct{ least, most int64 }

// atLeast returns the range of values without an upper limit.
func atLeast(least int64) *span { return &span{least, math.MaxInt64} }

// checkedValue is the value of a flag. It rejects an empty text, which would mean that the flag was
// not given, and numbers out of range.
type checkedValue struct {
	pflag.Value
	option *option
}

// Set implements [pflag.Value].
func (v *checkedValue) Set(text string) error {
	if text == "" {
		return usage.ErrEmptyValue
	}
	if err := v.Value.Set(text); err != nil {
		return err
	}
	n, write, ok := v.option.number()
	if r := v.option.within; ok && (n < r.least || n > r.most) {
		limits := &usage.RangeError{Least: write(r.least)}
		if r.most < math.MaxInt64 {
			limits.Most = write(r.most)
		}
		return limits
	}
	return nil
}

// number returns the present number, if the option sets one, and how its values are written.
func (o *option) number() (n int64, write func(int64) string, ok bool) {
	write = func(n int64) string { return strconv.FormatInt(n, 10) }
	switch v := o.value.(type) {
	case *int:
		return int64(*v), write, true
	case *int64:
		return *v, write, true
	case *texts.Size:
		return int64(*v), texts.ExactSize, true
	case *time.Duration:
		return int64(*v), func(n int64) string { return time.Duration(n).String() }, true
	}
	return 0, nil, false
}

// check makes the flag check its values.
func (o *option) check(flag *pflag.Flag) {
	if _, _, ok := o.number(); ok != (o.within != nil) {
		panic("--" + flag.Name + ": a number, and only a number, has a range")
	}
	if _, ok := o.value.(*bool); ok {
		return
	}
	if flag.DefValue == "[]" {
		flag.DefValue = "" // the help omits it
	}
	flag.Value = &checkedValue{flag.Value, o}
}
