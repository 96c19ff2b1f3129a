package explain

import (
	"fmt"
	"io"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
)

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
