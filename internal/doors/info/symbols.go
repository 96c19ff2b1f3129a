package info

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strconv"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/inputs/siblings"
)

// symbolEntry is an image in the output of symbols list --json.
type symbolEntry struct {
	symbols.Image
	InStore   string `json:"store_path,omitempty"`
	Addresses int    `json:"addresses"`
	Messages  int64  `json:"wpp_messages,omitempty"` // of a PDB for WPP messages
	Kind      string `json:"kind,omitempty"`
	Found     string `json:"found,omitempty"`
	Error     string `json:"error,omitempty"`

	from string
}

func entryOf(u *symbols.Use) symbolEntry {
	e := symbolEntry{Image: u.Image, InStore: u.StorePath(), Addresses: u.Addresses, Kind: string(u.Kind), Found: u.Path, from: u.From}
	if u.Err != nil {
		e.Error = u.Err.Error()
	}
	return e
}

// state says whether the symbols of an image were found.
func (e *symbolEntry) state() string {
	switch {
	case e.Found == "" && e.InStore == "":
		return "unknown: the trace does not identify its symbols"
	case e.Found == "":
		return "missing"
	case e.Error != "":
		return "damaged: " + e.Error
	case e.Kind == string(symbols.FromExports):
		return "exports only, in " + e.from
	}
	return "in " + e.from
}

// Symbols lists the images whose symbols traces need, each once, and the PDBs for WPP messages.
type Symbols struct {
	needed   map[symbols.Image]symbols.Use
	messages messagePDBs
}

// Add adds the images of a trace. The other files of its session may know some of them.
func (s *Symbols) Add(ctx context.Context, t *inputs.Trace, others []string, o *pipeline.Options) error {
	if err := t.Open(); err != nil {
		return err
	}
	in := t.Input()
	if t.IsWhole() {
		if err := siblings.Add(&in, others, nil); err != nil {
			return err
		}
	}
	source, err := pipeline.OpenSource(ctx, in, o)
	if err != nil {
		return err
	}
	s.messages.add(source.Index)
	uses, err := source.SymbolUses(ctx, o)
	if s.needed == nil {
		s.needed = make(map[symbols.Image]symbols.Use)
	}
	for i := range uses {
		s.needed[uses[i].Image] = uses[i]
	}
	return errors.Join(err, source.Close())
}

// Write prints the images, those with the most addresses first, and then the PDBs for WPP messages. It
// calls note if there are none.
func (s *Symbols) Write(w io.Writer, o Options, note func(line string)) error {
	list := s.list()
	switch {
	case o.JSON:
		return texts.WriteJSONLines(w, append(list, s.messages.entries()...))
	case len(list) == 0 && s.messages.undescribed == 0:
		note("no event has an address of native code whose image the trace names: no symbols are needed")
		return nil
	case len(list) == 0:
		return s.messages.write(w, o, false, note)
	}
	beside := texts.Grid{Right: []bool{true}, Head: true, Style: o.Style}
	below := beside
	beside.Add("addresses", "image", "symbols", "in a symbol store")
	below.Add("addresses", "image", "symbols; below, their path")
	for i := range list {
		e := &list[i]
		cells := []string{strconv.Itoa(e.Addresses), texts.Printable(e.Name), texts.Printable(e.state())}
		below.Add(cells...)
		below.AddBelow(texts.Printable(e.InStore))
		beside.Add(append(cells, texts.Printable(cmp.Or(e.InStore, "-")))...)
	}
	if beside.Fits(o.Width) {
		beside.Print(w, o.Width)
	} else {
		below.Print(w, o.Width)
	}
	return s.messages.write(w, o, true, note)
}

func (s *Symbols) list() []symbolEntry {
	list := []symbolEntry{}
	for _, use := range s.needed {
		list = append(list, entryOf(&use))
	}
	slices.SortFunc(list, func(a, b symbolEntry) int {
		return cmp.Or(cmp.Compare(b.Addresses, a.Addresses), cmp.Compare(a.Name, b.Name), cmp.Compare(a.InStore, b.InStore),
			cmp.Compare(a.TimeStamp, b.TimeStamp), cmp.Compare(a.Size, b.Size))
	})
	return list
}
