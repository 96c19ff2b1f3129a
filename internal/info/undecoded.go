package info

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/etl2parquet/etl2parquet/convert"
	"github.com/etl2parquet/etl2parquet/internal/grid"
	"github.com/etl2parquet/etl2parquet/internal/number"
)

// Undecoded counts the events that are not decoded, in one trace or in a run.
type Undecoded struct {
	events, decoded int64
	counts          map[undecodedKind]int64
	unlisted        int64 // events not in counts
	pdbs            []convert.PDB
}

// undecodedKind is a group of events: those of one provider that the same file would decode.
type undecodedKind struct{ provider, help string }

// longestName is the most columns of a name: a trace may have names of any length.
const longestName = 48

// Bounds on what a run keeps, against hostile traces.
const (
	maxUndecoded = 4096 // kinds
	maxRunPDBs   = 100
)

// Add adds the events of a trace.
func (u *Undecoded) Add(d *convert.Decoding) {
	u.events += d.Events
	u.decoded += Decoded(d)
	listed := int64(0)
	for i := range d.Providers {
		p := &d.Providers[i]
		provider, helpless := grid.Shortened(providerText(p.Name, p.ID), longestName), p.NotDecoded
		for _, h := range p.Help {
			u.count(provider, helpText(p, &h), h.Events)
			helpless -= h.Events
		}
		u.count(provider, "nothing: no public source describes them", helpless)
		u.count(provider, "nothing: payloads do not match the description; see table problems", p.Damaged)
		listed += p.NotDecoded + p.Damaged
	}
	u.unlisted += d.NotDecoded + d.Damaged - listed
	for _, pdb := range d.PDBs {
		if len(u.pdbs) < maxRunPDBs && !slices.Contains(u.pdbs, pdb) {
			u.pdbs = append(u.pdbs, pdb)
		}
	}
}

func (u *Undecoded) count(provider, help string, events int64) {
	if events == 0 {
		return
	}
	if u.counts == nil {
		u.counts = make(map[undecodedKind]int64)
	}
	kind := undecodedKind{provider, help}
	if _, known := u.counts[kind]; !known && len(u.counts) == maxUndecoded {
		u.unlisted += events
		return
	}
	u.counts[kind] += events
}

// Decoded returns the number of decoded events.
func Decoded(d *convert.Decoding) int64 { return d.Events - d.NotDecoded - d.Damaged }

// helpText names the flag and file that would describe events of a provider. The
// provider is not named: it is printed beside the text.
func helpText(p *convert.ProviderDecoding, h *convert.Help) string {
	switch h.Kind {
	case convert.TMF:
		return h.Flag + " FILE: " + *p.ID + ".tmf"
	case convert.MOF:
		return h.Flag + " FILE: a MOF file with its class"
	}
	return h.Flag + " FILE: its manifest"
}

// grid returns the kinds with the most events, one per row.
func (u *Undecoded) grid(most int) *grid.Grid {
	kinds := make([]undecodedKind, 0, len(u.counts))
	for kind := range u.counts {
		kinds = append(kinds, kind)
	}
	slices.SortFunc(kinds, func(a, b undecodedKind) int {
		return cmp.Or(cmp.Compare(u.counts[b], u.counts[a]), cmp.Compare(a.provider, b.provider), cmp.Compare(a.help, b.help))
	})
	shown := kinds[:min(len(kinds), most)]
	g := &grid.Grid{Indent: "  ", Right: []bool{true}}
	g.Add("events", "provider", "what would help")
	rest := u.events - u.decoded
	for _, kind := range shown {
		g.Add(number.Grouped(u.counts[kind]), kind.provider, kind.help)
		rest -= u.counts[kind]
	}
	switch more := len(kinds) - len(shown); {
	case u.unlisted > 0:
		g.Add(number.Grouped(rest), "and more", "")
	case more > 0:
		g.Add(number.Grouped(rest), fmt.Sprintf("and %s more", number.Grouped(int64(more))), "")
	}
	return g
}

// title is the heading of the grid.
func (u *Undecoded) title() string {
	return fmt.Sprintf("Not decoded: %s of %s", number.Grouped(u.events-u.decoded), number.Counted(u.events, "event"))
}

// How many rows convert prints about undecoded events; --report and info have more.
const (
	runUndecoded = 5
	runPDBs      = 3
)

// WriteRun writes the summary of a run, wrapped to a width.
func (u *Undecoded) WriteRun(w io.Writer, width int) {
	if u.events == 0 {
		return
	}
	fmt.Fprintf(w, "decoded: %s of %s (%s)\n", number.Grouped(u.decoded), number.Counted(u.events, "event"), number.WholeShare(u.decoded, u.events))
	if u.decoded == u.events {
		return
	}
	fmt.Fprintf(w, "\n%s\n", u.title())
	u.grid(runUndecoded).Print(w, width)
	g := grid.Grid{Indent: "  "}
	for _, pdb := range u.pdbs[:min(len(u.pdbs), runPDBs)] {
		g.Add("PDB for TMF files:", fmt.Sprintf("%s %s, age %d", grid.Shortened(grid.Printable(pdb.Name), longestName), pdb.GUID, pdb.Age))
	}
	if more := len(u.pdbs) - runPDBs; more > 0 {
		g.Add("", fmt.Sprintf("and %s more: see etl2parquet info", number.Grouped(int64(more))))
	}
	g.Print(w, width)
}
