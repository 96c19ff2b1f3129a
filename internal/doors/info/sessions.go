package info

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/base/text/grid"
)

// writeSessions prints which traces belong together.
func writeSessions(w io.Writer, sessions [][]*etl2parquet.Info) {
	for i, session := range sessions {
		if i == 0 {
			fmt.Fprintln(w)
		}
		var names []string
		for _, trace := range session {
			names = append(names, trace.File)
		}
		slices.Sort(names)
		fmt.Fprintf(w, "one session: %s; converted together, they share the names of processes and images\n", grid.Printable(strings.Join(names, ", ")))
	}
}
