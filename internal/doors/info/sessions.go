package info

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
)

// writeSessions prints which traces belong together, without the folder that they share.
func writeSessions(w io.Writer, o *Options, sessions [][]*facts.Info, folder string) {
	if len(sessions) == 0 {
		return
	}
	var g texts.Grid
	for _, session := range sessions {
		var names []string
		for _, trace := range session {
			names = append(names, strings.TrimPrefix(trace.File, folder))
		}
		slices.Sort(names)
		g.Add(fmt.Sprintf("recorded together: %s; converted together, they share the names of processes and images", texts.Printable(strings.Join(names, ", "))))
	}
	fmt.Fprintln(w)
	g.Print(w, o.Width)
}
