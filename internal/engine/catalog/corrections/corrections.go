// Package corrections lists the mistakes in Windows' own descriptions of events, each with a proof.
// A correction applies to every description of the event, wherever it comes from: a trace, a user's
// manifest and the built-in catalogue repeat the same mistake.
package corrections

import (
	"slices"

	"github.com/etl2parquet/etl2parquet/decode/tdh"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Correction describes real payloads where a description is wrong: a field has another type, or the
// members of a structure are aligned.
type Correction struct {
	Provider schema.GUID
	ID       uint16   // of the event; 0 means all events of the provider
	Path     []string // names of the structure and its member, or of a field
	Was, Is  tdh.InType
	Aligned  bool   // the members of the structure are aligned as in C
	Proof    string // the payloads that fit only the corrected description
}

// All lists the corrections.
var All = []Correction{
	{
		Provider: schema.MustGUID("30336ed4-e327-447c-9de0-51b652c86108"), ID: 19503, Path: []string{"Children", "Size"}, Was: tdh.UInt16, Is: tdh.UInt32,
		Proof: "Shell-Core: 3,446 payloads of six machines fit four bytes; the 3,261 that have children fit only so",
	},
	{
		Provider: schema.MustGUID("7dd42a49-5329-4832-8dfd-43d979153a88"), Path: []string{"connid"}, Was: tdh.UInt32, Is: tdh.Pointer,
		Proof: "Kernel-Network: 8,923 payloads of KernelNetwork.etl leave four bytes over otherwise; the kernel's TcpIp events, which have the same fields, have a pointer here",
	},
	{
		Provider: schema.MustGUID("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4"), ID: 208, Path: []string{"Values"}, Aligned: true,
		Proof: ".NET runtime, GCLOHCompact: the runtime logs an array of C structures; gcevents.etl has one of 32 bytes where the description has 28",
	},
	{
		Provider: schema.MustGUID("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4"), ID: 209, Path: []string{"Values"}, Aligned: true,
		Proof: ".NET runtime, GCFitBucketInfo: likewise; gcevents.etl has nine of 16 bytes, numbered 0 to 8, where the description has 14",
	},
}

// Apply returns the fields of an event as real payloads have them. It copies fields before it
// changes them.
func Apply(provider schema.GUID, id uint16, fields []schema.Field) []schema.Field {
	for i := range All {
		c := &All[i]
		if c.Provider == provider && (c.ID == 0 || c.ID == id) {
			fields = c.apply(fields, c.Path)
		}
	}
	return fields
}

func (c *Correction) apply(fields []schema.Field, path []string) []schema.Field {
	at := slices.IndexFunc(fields, func(f schema.Field) bool { return f.Original == path[0] })
	if at < 0 {
		return fields
	}
	f := fields[at]
	switch {
	case len(path) > 1:
		f.Struct = c.apply(f.Struct, path[1:])
	case c.Aligned:
		f.Aligned = true
	default:
		if f.InType != c.Was.String() || tdh.Apply(&f, c.Is, tdh.Default) != nil {
			return fields
		}
		tdh.Declare(&f, f.Original, c.Is, tdh.Default)
	}
	fields = slices.Clone(fields)
	fields[at] = f
	return fields
}
