package info

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
)

// NotWhole counts the payloads that are not read whole, in one trace or in a run.
type NotWhole struct {
	facts.Payloads // all payloads
	counts         map[notWholeKind]int64
	unlisted       int64 // payloads not in counts
	pdbs           []facts.PDB
}

// notWholeKind is a group of payloads: those of one provider that the same file would describe,
// or that are read in part for the same reason.
type notWholeKind struct{ provider, help string }

// longestName limits the columns of a name: a trace may have names of any length.
const longestName = 100

// Bounds on what a run keeps, against hostile traces.
const (
	maxNotWhole = 4096 // kinds
	maxRunPDBs  = 100
)

// Add adds the payloads of a trace.
func (n *NotWhole) Add(d *facts.Decoding) {
	n.Payloads.Add(&d.Payloads)
	listed := int64(0)
	for i := range d.Providers {
		p := &d.Providers[i]
		provider, helpless, unlisted := texts.Middle(providerText(p.Name, p.ID), longestName), p.Raw, p.InPart
		for _, h := range p.Help {
			n.count(provider, helpText(p, &h), h.Events)
			helpless -= h.Events
		}
		n.count(provider, "raw: no public source describes them", helpless)
		for _, part := range p.InParts {
			n.count(provider, partText(&part), part.Payloads)
			unlisted -= part.Payloads
		}
		n.count(provider, "in part: see the table problems", unlisted)
		listed += p.Raw + p.InPart
	}
	n.unlisted += d.Raw + d.InPart - listed
	for _, pdb := range d.PDBs {
		if len(n.pdbs) < maxRunPDBs && !slices.Contains(n.pdbs, pdb) {
			n.pdbs = append(n.pdbs, pdb)
		}
	}
}

func (n *NotWhole) count(provider, help string, payloads int64) {
	if payloads == 0 {
		return
	}
	if n.counts == nil {
		n.counts = make(map[notWholeKind]int64)
	}
	kind := notWholeKind{provider, help}
	if _, known := n.counts[kind]; !known && len(n.counts) == maxNotWhole {
		n.unlisted += payloads
		return
	}
	n.counts[kind] += payloads
}

// partText explains why payloads of a kind of event are read in part, and what would help.
func partText(p *facts.PartlyRead) string {
	name := texts.Middle(texts.Printable(cmp.Or(p.EventName, fmt.Sprint(p.EventID))), longestName)
	field := name
	if p.Field != "" {
		field += "." + texts.Middle(texts.Printable(p.Field), longestName)
	}
	switch p.Reason {
	case facts.PartDamaged:
		return fmt.Sprintf("in part: %s contradicts its description", field)
	case facts.PartUnstated:
		return fmt.Sprintf("in part: nothing states %s; its manifest may", field)
	case facts.PartOlder:
		return fmt.Sprintf("in part: %s has fields that version %d added; its manifest may have them", name, p.Version)
	}
	return fmt.Sprintf("in part: %s has bytes after its known fields; its manifest may describe them", name)
}

// helpText names the flag and file that would describe events of a provider. It does not name the
// provider, which is printed beside the text.
func helpText(p *facts.ProviderDecoding, h *facts.Help) string {
	file := "its manifest"
	switch h.Kind {
	case facts.TMF:
		file = *p.ID + ".tmf"
	case facts.MOF:
		file = "a MOF file with its class"
	}
	return "--" + h.Option + " FILE: " + file
}

// grid returns the kinds with the most payloads, one per row, for a page of a width: a narrow one has
// what would help below each.
func (n *NotWhole) grid(most, width int) *texts.Grid {
	kinds := make([]notWholeKind, 0, len(n.counts))
	for kind := range n.counts {
		kinds = append(kinds, kind)
	}
	slices.SortFunc(kinds, func(a, b notWholeKind) int {
		return cmp.Or(cmp.Compare(n.counts[b], n.counts[a]), cmp.Compare(a.provider, b.provider), cmp.Compare(a.help, b.help))
	})
	shown := kinds[:min(len(kinds), most)]
	beside := &texts.Grid{Indent: "  ", Right: []bool{true}, Head: true}
	below := &texts.Grid{Indent: "  ", Right: []bool{true}, Head: true}
	beside.Add("count", "provider", "what would help, or why")
	below.Add("count", "provider, and below what would help, or why")
	rest := n.Raw + n.InPart
	for _, kind := range shown {
		beside.Add(texts.Grouped(n.counts[kind]), kind.provider, kind.help)
		below.Add(texts.Grouped(n.counts[kind]), kind.provider)
		below.AddNote(kind.help)
		rest -= n.counts[kind]
	}
	g := beside
	if !beside.Fits(width) {
		g = below
	}
	switch more := len(kinds) - len(shown); {
	case n.unlisted > 0:
		g.Add(texts.Grouped(rest), "and more")
	case more > 0:
		g.Add(texts.Grouped(rest), fmt.Sprintf("and %s more", texts.Grouped(int64(more))))
	}
	return g
}

// title is the heading of the grid.
func (n *NotWhole) title() string {
	return fmt.Sprintf("Not whole: %s of %s", texts.Grouped(n.Raw+n.InPart), texts.Counted(n.All(), "payload"))
}

// payloadsText counts payloads by how much of them is read.
func payloadsText(p *facts.Payloads) string {
	return fmt.Sprintf("%s whole (%s), %s in part, %s raw",
		texts.Grouped(p.Whole), texts.WholeShare(p.Whole, p.All()), texts.Grouped(p.InPart), texts.Grouped(p.Raw))
}

// payloadBytesText counts their bytes.
func payloadBytesText(p *facts.Payloads) string {
	return fmt.Sprintf("%s whole (%s), %s in part and %s left over, %s raw",
		texts.Grouped(p.BytesWhole), texts.WholeShare(p.BytesWhole, p.Bytes()), texts.Grouped(p.BytesInPart), texts.Grouped(p.BytesRest), texts.Grouped(p.BytesRaw))
}

// The number of rows that convert prints about payloads that are not whole; --report and info have
// more.
const (
	runNotWhole = 5
	runPDBs     = 3
)

// WriteRun writes the summary of a run, wrapped to a width.
func (n *NotWhole) WriteRun(w io.Writer, width int, s texts.Style) {
	if n.All() == 0 {
		return
	}
	var counts texts.Grid
	counts.Add("payloads: " + payloadsText(&n.Payloads))
	counts.Add("payload bytes: " + payloadBytesText(&n.Payloads))
	counts.Print(w, width)
	if n.Whole == n.All() {
		return
	}
	fmt.Fprintf(w, "\n%s\n", s.Bold(n.title()))
	list := n.grid(runNotWhole, width)
	list.Style = s
	list.Print(w, width)
	g := texts.Grid{Indent: "  "}
	for _, pdb := range n.pdbs[:min(len(n.pdbs), runPDBs)] {
		g.Add("PDB for TMF files:", fmt.Sprintf("%s %s, age %d", texts.Middle(texts.Printable(pdb.Name), longestName), pdb.GUID, pdb.Age))
	}
	if more := len(n.pdbs) - runPDBs; more > 0 {
		g.Add("", fmt.Sprintf("and %s more: see etl2parquet info", texts.Grouped(int64(more))))
	}
	g.Print(w, width)
}
