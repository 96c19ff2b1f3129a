package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
)

// choice is the value of a flag that accepts one of a few words.
type choice struct {
	value string
	among []string
}

func (c *choice) Type() string   { return strings.Join(c.among, "|") }
func (c *choice) String() string { return c.value }

func (c *choice) Set(text string) error {
	if !slices.Contains(c.among, text) {
		hint := ""
		if near := texts.Nearest(text, c.among); len(near) > 0 {
			hint = "; " + texts.DidYouMean(near)
		}
		return fmt.Errorf("%q is not one of %s%s", text, strings.Join(c.among, ", "), hint)
	}
	c.value = text
	return nil
}

// words returns the words for completion.
func (c *choice) words() []string { return c.among }

// listed returns the accepted words, for the help of a flag with many.
func (c *choice) listed() string { return strings.Join(c.among, ", ") }

// The values of --siblings.
const (
	autoSiblings = "auto"
	noSiblings   = "off"
)

// siblingsFlag says whether the traces that were recorded together share their facts. They do in commands without it.
type siblingsFlag struct{ choice }

// flags returns the flag, with its default. The help names the examples, such as ", such as x.etl".
func (f *siblingsFlag) flags(examples string) []option {
	f.choice = choice{autoSiblings, []string{autoSiblings, noSiblings}}
	return []option{{flag: "siblings", value: f, usage: "share names among traces of one boot that were recorded together" + examples + ", and descriptions of events among all inputs: auto, or off"}}
}

func (f *siblingsFlag) isAuto() bool { return f.value != noSiblings }
