package index

import "github.com/etl2parquet/etl2parquet/internal/engine/attribution"

// Facts is a set of kinds of fact about processes, images, files, methods and stacks.
type Facts = attribution.Facts

// The kinds of fact.
const (
	OwnerFacts   = attribution.OwnerFacts
	ImageFacts   = attribution.ImageFacts
	VersionFacts = attribution.VersionFacts
	FileFacts    = attribution.FileFacts
	MethodFacts  = attribution.MethodFacts
	StackFacts   = attribution.StackFacts
	AllFacts     = attribution.AllFacts
)
