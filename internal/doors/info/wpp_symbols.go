package info

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols/find"
)

// messagePDBs are the PDBs that may describe WPP messages of traces. A trace names the PDBs of its
// providers, and not which of them has a message.
type messagePDBs struct {
	undescribed int64 // messages that nothing describes
	list        []messagePDB
}

// messagePDB is a PDB that traces name for their providers.
type messagePDB struct {
	decode.ProviderPDB
	messages int64 // of all providers of these traces that nothing describes
}

// add adds the PDBs that a trace names, if it has messages that nothing describes.
func (m *messagePDBs) add(x *index.Index) {
	var undescribed int64
	for i := range x.Types {
		if t := &x.Types[i]; t.Family == decode.FamilyMessage && x.Catalog.Kinds[i].Schema == nil {
			undescribed += t.Events
		}
	}
	if undescribed == 0 {
		return
	}
	m.undescribed += undescribed
	for _, pdb := range x.Session.PDBs {
		at := slices.IndexFunc(m.list, func(p messagePDB) bool { return p.ProviderPDB == pdb })
		if at < 0 {
			at = len(m.list)
			m.list = append(m.list, messagePDB{ProviderPDB: pdb})
		}
		m.list[at].messages += undescribed
	}
}

// entries returns the PDBs as entries of symbols list, those for the most messages first.
func (m *messagePDBs) entries() (list []symbolEntry) {
	for _, p := range m.list {
		store := find.PDB{Name: p.Name, GUID: p.GUID, Age: p.Age}.StorePath()
		name, _, _ := strings.Cut(store, "/")
		list = append(list, symbolEntry{Image: symbols.Image{PDB: name, GUID: p.GUID, Age: p.Age}, InStore: store, Messages: p.messages})
	}
	slices.SortFunc(list, func(a, b symbolEntry) int {
		return cmp.Or(cmp.Compare(b.Messages, a.Messages), cmp.Compare(a.InStore, b.InStore))
	})
	return list
}

// write prints the PDBs after what was printed before, if any.
func (m *messagePDBs) write(w io.Writer, o Options, before bool, note func(line string)) error {
	if m.undescribed == 0 {
		return nil
	}
	count, have := texts.Counted(m.undescribed, "WPP message"), "have"
	if m.undescribed == 1 {
		have = "has"
	}
	if len(m.list) == 0 {
		note(fmt.Sprintf("%s %s no description, and the traces name no PDB of their providers: the option tmf takes PDBs", count, have))
		return nil
	}
	head := fmt.Sprintf("%s %s no description. PDBs of their providers, for the option tmf:\n", count, have)
	if before {
		head = "\n" + head
	}
	if _, err := io.WriteString(w, head); err != nil {
		return err
	}
	g := texts.Grid{Right: []bool{true}, Head: true, Style: o.Style}
	g.Add("messages", "PDB, and below its path in a symbol store")
	for _, e := range m.entries() {
		g.Add(fmt.Sprint(e.Messages), texts.Printable(e.PDB))
		g.AddBelow(texts.Printable(e.InStore))
	}
	g.Print(w, o.Width)
	return nil
}
