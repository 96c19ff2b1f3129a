package selection

import (
	"errors"
	"fmt"
	"strings"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/schema"
)

// ErrNothingSelected is the error for a selection that matches nothing in a trace, if the caller
// does not allow that.
var ErrNothingSelected = errors.New("nothing is selected")

// Mismatches are the mismatches of one trace.
type Mismatches struct {
	List    []facts.Mismatch
	Nothing string // the reason why nothing is selected; "" if something is
}

// Err returns the error for a trace from which nothing is selected.
func (m *Mismatches) Err() error {
	if m.Nothing == "" {
		return nil
	}
	return fmt.Errorf("%w: %s", ErrNothingSelected, m.Nothing)
}

// Add adds a part of a selection that matches nothing.
func (m *Mismatches) Add(option, pattern string, nearest []string, format string, args ...any) {
	m.List = append(m.List, facts.Mismatch{Option: option, Pattern: pattern, Nearest: append([]string{}, nearest...), Message: fmt.Sprintf(format, args...)})
}

// SelectsNothing records that, because of the mismatch added last, nothing is selected.
func (m *Mismatches) SelectsNothing() {
	if m.Nothing == "" {
		m.Nothing = m.List[len(m.List)-1].Message
	}
}

// Patterns adds the patterns of an option that match nothing. similar returns the names that a text
// may mean, and where describes their list.
func (m *Mismatches) Patterns(option string, patterns []string, matches func(pattern string) bool, similar func(text string) []string, things, where string) {
	matched := len(patterns) == 0
	for _, pattern := range patterns {
		if matches(pattern) {
			matched = true
			continue
		}
		near, hint := meant(pattern, similar), where
		if len(near) > 0 {
			hint = texts.DidYouMean(near)
		}
		m.Add(option, pattern, near, "%s %s matches none of %s; %s", option, pattern, things, hint)
	}
	if !matched {
		m.SelectsNothing()
	}
}

// meant returns the names that are similar to a pattern without a match.
func meant(pattern string, similar func(text string) []string) []string {
	text := strings.Trim(pattern, "*{}")
	if schema.IsPattern(text) {
		return nil
	}
	return similar(text)
}

// Similar returns a function for [Mismatches.Patterns] that finds similar names in a list.
func Similar(names func() []string) func(text string) []string {
	return func(text string) []string { return texts.Nearest(text, names()) }
}
