package convert

import (
	"context"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
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

// SmallTrace is the size of a trace up to which IndexOptions.Judge does not pay.
const SmallTrace = index.SmallTrace

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

// Decoding says how many payloads are read whole, in part and not at all, and what would describe
// the others, with the types of its parts.
type (
	Decoding         = index.Decoding
	Payloads         = index.Payloads
	PartlyRead       = index.PartlyRead
	PartReason       = index.PartReason
	ProviderDecoding = index.ProviderDecoding
	PDB              = index.PDB
	Help             = index.Help
	HelpFile         = index.HelpFile
)

// The reasons why a payload is read in part.
const (
	PartDamaged  = index.PartDamaged
	PartUnstated = index.PartUnstated
	PartOlder    = index.PartOlder
	PartLonger   = index.PartLonger
)

// The kinds of file that describe events.
const (
	Manifest = index.Manifest // an instrumentation manifest
	MOF      = index.MOF      // classes of classic events
	TMF      = index.TMF      // formats of WPP messages
)

// ComponentName is a ProviderTotal's NameSource where the name is of a component, which is no
// provider: a part of a program that logs WPP messages or classic events.
const ComponentName = index.ComponentName
