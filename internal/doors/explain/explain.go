package explain

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/schema"
)

// ErrUnknown is the result for words without a known meaning, after that has been reported.
var ErrUnknown = errors.New("nothing is known of some words")

// Options are the options of [Words].
type Options struct {
	As        string // kind of the readings; "" means all kinds
	JSON      bool
	Width     int                                // of a page
	Providers func(nameOrGUID string) []Provider // see [Explainer]
	Note      func(line string)                  // called for each word without a known meaning
}

// Words explains words. Nothing is printed if one of them is malformed.
func Words(w io.Writer, words []string, o Options) error {
	if o.As == "" && len(words) > 1 { // NTSTATUS 0xc0000022
		if kind, ok := statusSystem(words[0]); ok {
			o.As, words = kind, words[1:]
		}
	}
	e := Explainer{Tables: slices.Concat(schema.Tables(), views.BuiltIn().Tables()), Providers: o.Providers}
	var all []*Explanation
	for _, word := range words {
		x, err := e.Explain(word, o.As)
		if err != nil {
			return err
		}
		all = append(all, x)
	}
	if o.JSON {
		if err := texts.WriteJSONLines(w, all); err != nil {
			return err
		}
	}
	var result error
	for i, x := range all {
		switch {
		case len(x.Readings) == 0:
			o.Note(x.unknownText(o.As))
			result = ErrUnknown
		case !o.JSON:
			if i > 0 {
				fmt.Fprintln(w)
			}
			if len(all) > 1 {
				fmt.Fprintf(w, "%s\n\n", texts.Printable(x.Word))
			}
			x.writeText(w, o.Width)
		}
	}
	return result
}

// unknownText is the message for a word without a known meaning.
func (x *Explanation) unknownText(as string) string {
	text := fmt.Sprintf("nothing is known of %.80q", x.Word)
	if as != "" {
		text += " as " + as
	}
	if len(x.Nearest) > 0 {
		text += "; " + texts.DidYouMean(x.Nearest)
	}
	return text
}

// KindList lists the kinds of reading with their meanings, for a help text. The tables of values are
// kinds too, but are not in it.
func KindList() string {
	var text strings.Builder
	g := texts.Grid{Indent: "  "}
	for i := range kinds {
		g.Add(kinds[i].name, kinds[i].doc)
	}
	g.Print(&text, 80)
	return text.String()
}

// KindNames returns the names of all kinds of reading.
func KindNames() (names []string) {
	for i := range kinds {
		names = append(names, kinds[i].name)
	}
	for _, v := range schema.AllValues() {
		names = append(names, v.Name)
	}
	return names
}

// writeText writes the readings of a word for people, wrapped to a width.
func (x *Explanation) writeText(w io.Writer, width int) {
	for i := range x.Readings {
		r := &x.Readings[i]
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s: %s\n", r.As, r.Meaning)
		g := texts.Grid{Indent: "  "}
		addFacts(&g, r.Facts, "")
		g.Print(w, width)
	}
}

// addFacts adds a row for each fact, and its details below it.
func addFacts(g *texts.Grid, facts []Fact, indent string) {
	before := ""
	for _, f := range facts {
		name := f.Name
		if name == before && f.Facts == nil { // a further element of a list
			name = ""
		}
		before = f.Name
		g.Add(strings.TrimRight(indent+name, " "), f.Value)
		addFacts(g, f.Facts, indent+"  ")
	}
}
