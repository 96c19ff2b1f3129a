package main

import (
	"fmt"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/packed"
	"github.com/etl2parquet/etl2parquet/schema"
)

// nameEvents gives each event of a provider its one name: that of its newest form, and the
// id behind it where other events of the provider have the same one. All versions and forms
// of an event get that name, so that they are one table.
func nameEvents(p *packed.Provider) {
	names := make(map[uint16]string)
	newest := make(map[uint16]int64) // version and build
	for i := range p.Events {
		ev := &p.Events[i]
		age := int64(ev.Version) << 32
		if n := len(ev.Builds); n > 0 {
			age += int64(ev.Builds[n-1])
		}
		if old, known := newest[ev.ID]; !known || age > old {
			names[ev.ID], newest[ev.ID] = ev.DisplayName(), age
		}
	}
	with := make(map[string]int) // events with a folder
	for _, name := range names {
		with[folder(name)]++
	}
	for i := range p.Events {
		ev := &p.Events[i]
		name := names[ev.ID]
		if with[folder(name)] > 1 {
			name = fmt.Sprintf("%s_%d", name, ev.ID)
		}
		ev.Name = name
	}
}

// folder returns what two names must not share: the folder of their tables, in any case.
func folder(name string) string { return strings.ToLower(schema.FolderName(name)) }
