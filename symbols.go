package etl2parquet

import (
	"context"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/engine/symbols"
)

// SymbolOptions locate symbols.
type SymbolOptions struct {
	Paths    []string // each a folder, a file, or a debugger symbol path (srv*C:\symbols*https://...)
	Servers  []string // addresses of symbol servers, tried after all paths
	Cache    string   // folder for fetched and decompressed symbols; "" disables both
	MaxBytes int64    // limit on the size of a fetched or decompressed file; 0 is 4 GiB

	// Timeout is the longest time in which a server may send nothing, or less than 1 KiB a second.
	// It then fails, and is asked for no other file. 0 is a minute.
	Timeout time.Duration

	// OnFetch is called while a file is fetched from a server. OnNote is called once for each path
	// or server that is not used, with the reason. Both may be called concurrently. Either may be
	// nil.
	OnFetch func(SymbolFetch)
	OnNote  func(text string)
}

// SymbolFetch is the progress of fetching a symbol file from a server.
type SymbolFetch struct {
	Name   string // of the file
	Server string // its address
	Bytes  int64  // fetched so far
	Done   bool   // the last report of this attempt to fetch the file
	Stored bool   // the whole file has arrived, and is the one that was asked for; only with Done

	// Waiting means that the server has been silent for some seconds. Such a report has no Bytes.
	Waiting bool
}

// Symbols name functions of native code. They are safe for use from many goroutines, and for many
// traces.
type Symbols symbols.Set

// OpenSymbols returns symbols. They are looked up only when a trace needs them. Cancelling the
// context stops fetches from servers. The symbols must be closed, after the traces.
func OpenSymbols(ctx context.Context, o SymbolOptions) (*Symbols, error) {
	options := symbols.Options{Paths: o.Paths, Servers: o.Servers, Cache: o.Cache, MaxBytes: o.MaxBytes, Timeout: o.Timeout, Note: o.OnNote}
	if o.OnFetch != nil {
		options.Progress = func(p symbols.Progress) {
			o.OnFetch(SymbolFetch{p.Name, p.Server, p.Bytes, p.Done, p.Stored, p.Waiting})
		}
	}
	set, err := symbols.New(ctx, options)
	if err != nil {
		return nil, err
	}
	return (*Symbols)(set), nil
}

// Close closes the files.
func (s *Symbols) Close() error { return (*symbols.Set)(s).Close() }

// Missing returns the names of images whose addresses were looked up so far without finding
// symbols, and the errors of symbols that were found.
func (s *Symbols) Missing() (images []string, faults []error) { return (*symbols.Set)(s).Lacks() }
