package main

import (
	"math"
	"strconv"
	"time"

	"github.com/spf13/pflag"

	"github.com/etl2parquet/etl2parquet/cmd/etl2parquet/internal/usage"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
)

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
