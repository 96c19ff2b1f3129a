package main

import (
	"fmt"

	"github.com/etl2parquet/etl2parquet/decode/tdh"
	"github.com/etl2parquet/etl2parquet/internal/catalog/packed"
	"github.com/etl2parquet/etl2parquet/schema"
)

// correction is a field that Windows' own description has of another type than real payloads.
type correction struct {
	provider string
	id       uint16
	field    string // a structure
	member   string
	was, is  tdh.InType
	// Proof names the payloads that fit the corrected description and not the other.
	proof string
}

var corrections = []correction{{
	provider: "Microsoft-Windows-Shell-Core", id: 19503, field: "Children", member: "Size", was: tdh.UInt16, is: tdh.UInt32,
	proof: "3,446 payloads of six machines: all fit with four bytes, and 3,261, which have children, only so (shared/catalog/README.md)",
}}

// correct corrects the events of a provider. A correction that no longer applies is an error.
func correct(p *packed.Provider) error {
	for i := range corrections {
		c := &corrections[i]
		if c.provider != p.Name {
			continue
		}
		found := false
		for j := range p.Events {
			if p.Events[j].ID != c.id {
				continue
			}
			if !c.apply(p.Events[j].Fields) {
				return fmt.Errorf("event %d of %s: %s.%s is no %v to be corrected", c.id, c.provider, c.field, c.member, c.was)
			}
			found = true
		}
		if !found {
			return fmt.Errorf("%s has no event %d to be corrected", c.provider, c.id)
		}
	}
	return nil
}

func (c *correction) apply(fields []schema.Field) bool {
	for i := range fields {
		for j := range fields[i].Struct {
			m := &fields[i].Struct[j]
			if fields[i].Original != c.field || m.Original != c.member || m.InType != c.was.String() {
				continue
			}
			if tdh.Apply(m, c.is, tdh.Default) != nil {
				return false
			}
			tdh.Declare(m, c.member, c.is, tdh.Default)
			return true
		}
	}
	return false
}
