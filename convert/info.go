package convert

import (
	"context"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/index"
)

// DefaultMemory is what a conversion with few workers uses at most if nothing else is
// asked; see [DefaultMemoryOf].
const DefaultMemory = index.DefaultMemory

// Index is what the index pass learns of a trace: what "info" tells, and what the
// convert pass needs to know.
type Index = index.Index

// IndexOptions are how to index.
type IndexOptions = index.Options

// AllFacts are facts about processes, images, files, methods and stacks. A summary needs none of
// them: see IndexOptions.Without.
const AllFacts = index.AllFacts

// BuildIndex makes the index pass. The index must be closed.
func BuildIndex(ctx context.Context, f *decode.File, o IndexOptions) (*Index, error) {
	return index.Build(ctx, f, o)
}

// Summary is what "info" tells about a trace, with the types of its parts.
type (
	Summary        = index.Summary
	Zone           = index.Zone
	ProviderTotal  = index.ProviderTotal
	EventTypeTotal = index.EventTypeTotal
	Instant        = index.Instant
)

// Decoding says of how many events the payload is decoded, and what would describe
// the others, with the types of its parts.
type (
	Decoding         = index.Decoding
	ProviderDecoding = index.ProviderDecoding
	PDB              = index.PDB
	Help             = index.Help
	HelpFile         = index.HelpFile
)

// The kinds of file that describe events.
const (
	Manifest = index.Manifest // an instrumentation manifest
	MOF      = index.MOF      // classes of classic events
	TMF      = index.TMF      // formats of WPP messages
)
