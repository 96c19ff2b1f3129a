package packed

import (
	"hash/crc32"

	"github.com/etl2parquet/etl2parquet/schema"
)

const (
	magic = "ETL2PARQUET CATALOGUE 2\n"
	// oldMagic begins files whose index does not distinguish components from providers.
	oldMagic = "ETL2PARQUET CATALOGUE 1\n"
)

// headerSize is the size of the magic and the sizes after it.
const headerSize = len(magic) + 4*4

// Limits on a file. The largest known catalogue, of all providers of five builds of Windows,
// has 957 providers, 4,000 events in one of them, and blocks of less than 1 MiB.
const (
	MaxFile     = 256 << 20
	maxIndex    = 64 << 20
	maxBlock    = 64 << 20
	maxBuilds   = 64 // a set of builds is a bit mask
	maxFields   = 1024
	maxCount    = 1<<31 - 1
	maxOfType   = 1 << 17 // events of a provider
	minProvider = 16 + 3  // bytes of a provider in the index: its GUID, and three numbers
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Provider is a provider, an event class, or a group of messages.
type Provider struct {
	GUID       schema.GUID
	Name       string
	OtherNames []string // that other builds of Windows have for it
	// IsComponent says that the name is of a part of a program that logs WPP messages or
	// classic events, not of a registered provider.
	IsComponent bool
	Events      []Event // by kind, id and version; the forms of one event are adjacent
}

// Event is a form of an event: how some builds of Windows log it.
type Event struct {
	*schema.Schema
	AnyVersion bool  // of a class that describes all versions
	Builds     []int // the builds of Windows with this form, in order; nil if not of particular builds
}

// eventFlags are the boolean facts of an event, as one number.
const (
	flagClassic = 1 << iota
	flagAnyVersion
	flagNatural
	flagMessage // it has a message
	flagSource  // it has a place in a source
	flagNames   // it has names of its own: class, documentation, certainty
)

// fieldFlags say which facts of a field are present, as one number: absent facts take no bytes.
const (
	fieldDoc = 1 << iota // the documentation is not the default for its types
	fieldHex
	fieldOptional
	fieldCountPrefix
	fieldLength
	fieldLengthOf
	fieldLengthPrefix
	fieldCount
	fieldCountOf
	fieldStruct
	fieldMap
	fieldUnit
	fieldValues
	fieldTypes    // in-type and out-type
	fieldUnstated // facts that no source states
	fieldSizes    // the sizes that an unstated length may have
	fieldAligned
)

// allFieldFlags has every flag.
const allFieldFlags = fieldAligned<<1 - 1
