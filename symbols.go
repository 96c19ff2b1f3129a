package etl2parquet

import (
	"context"

	"github.com/etl2parquet/etl2parquet/internal/engine/symbols"
)

// SymbolOptions say where symbols are.
type SymbolOptions struct {
	Paths    []string // each a folder, a file, or a symbol path as debuggers have it (srv*C:\symbols*https://...)
	Servers  []string // addresses of symbol servers, which are asked after all paths
	Cache    string   // folder for what is fetched or decompressed; "" does neither
	MaxBytes int64    // limit on a file that is fetched or decompressed; 0 is 4 GiB

	// OnFetch reports what is fetched from a server, and OnNote, once each, why a place is not
	// used. Goroutines call them at the same time. Either may be nil.
	OnFetch func(SymbolFetch)
	OnNote  func(text string)
}

// SymbolFetch is a file with symbols that is fetched from a server.
type SymbolFetch struct {
	Name   string // of the file
	Server string // its address
	Bytes  int64  // fetched so far
	Done   bool   // nothing follows
}

// Symbols name functions of native code. They are safe for use from many goroutines, and for many
// traces.
type Symbols struct{ set *symbols.Set }

// OpenSymbols returns the symbols in some places. Nothing is looked for before code needs it. The
// context ends what is fetched from servers. The symbols must be closed, after the traces.
func OpenSymbols(ctx context.Context, o SymbolOptions) (*Symbols, error) {
	options := symbols.Options{Paths: o.Paths, Servers: o.Servers, Cache: o.Cache, MaxBytes: o.MaxBytes, Note: o.OnNote}
	if o.OnFetch != nil {
		options.Progress = func(p symbols.Progress) { o.OnFetch(SymbolFetch{p.Name, p.Server, p.Bytes, p.Done}) }
	}
	set, err := symbols.New(ctx, options)
	if err != nil {
		return nil, err
	}
	return &Symbols{set}, nil
}

// Close closes the files.
func (s *Symbols) Close() error { return s.symbolSet().Close() }

// Missing returns the names of images in which addresses were looked up so far and that have no
// symbols, and what was wrong with symbols that were found.
func (s *Symbols) Missing() (images []string, faults []error) {
	return s.symbolSet().Lacks()
}

func (s *Symbols) symbolSet() *symbols.Set {
	if s == nil {
		return nil
	}
	return s.set
}
