package dataset

import (
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
)

// DecodingRecord is an [facts.Decoding] in commit records and in reports. It also has the flag of
// etl2parquet that takes a file. Its form is stable: fields may be added, but none is renamed or
// changes its meaning.
type DecodingRecord struct {
	Events     int64 `json:"events"`
	NotDecoded int64 `json:"events_not_decoded"`
	facts.Payloads
	Providers []ProviderRecord `json:"providers"`
	Unlisted  int              `json:"unlisted_providers"`
	PDBs      []facts.PDB      `json:"provider_pdbs"`
}

// ProviderRecord is an [facts.ProviderDecoding].
type ProviderRecord struct {
	ID         *string `json:"provider_id"`
	Name       *string `json:"provider_name"`
	Events     int64   `json:"events"`
	NotDecoded int64   `json:"events_not_decoded"`
	facts.Payloads
	Help    []HelpRecord       `json:"help"`
	InParts []facts.PartlyRead `json:"in_part"`
}

// HelpRecord is an [facts.Help].
type HelpRecord struct {
	Flag   string         `json:"flag"`
	Kind   facts.HelpFile `json:"kind"`
	Events int64          `json:"events"`
}

// RecordOf returns the form of counts for records, or nil if there are none.
func RecordOf(d *facts.Decoding) *DecodingRecord {
	if d == nil {
		return nil
	}
	r := &DecodingRecord{d.Events, d.NotDecoded, d.Payloads, []ProviderRecord{}, d.Unlisted, d.PDBs}
	for i := range d.Providers {
		p := &d.Providers[i]
		help := []HelpRecord{}
		for _, h := range p.Help {
			help = append(help, HelpRecord{"--" + h.Option, h.Kind, h.Events})
		}
		r.Providers = append(r.Providers, ProviderRecord{p.ID, p.Name, p.Events, p.NotDecoded, p.Payloads, help, p.InParts})
	}
	return r
}

// Decoding returns the counts of a record, or nil if it has none.
func (r *DecodingRecord) Decoding() *facts.Decoding {
	if r == nil {
		return nil
	}
	d := &facts.Decoding{Events: r.Events, NotDecoded: r.NotDecoded, Payloads: r.Payloads, Providers: []facts.ProviderDecoding{}, Unlisted: r.Unlisted, PDBs: r.PDBs}
	for i := range r.Providers {
		p := &r.Providers[i]
		help := []facts.Help{}
		for _, h := range p.Help {
			help = append(help, index.HelpFrom(h.Kind, h.Events))
		}
		d.Providers = append(d.Providers, facts.ProviderDecoding{ID: p.ID, Name: p.Name, Events: p.Events, NotDecoded: p.NotDecoded, Payloads: p.Payloads, Help: help, InParts: p.InParts})
	}
	return d
}
