package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/packed"
	"github.com/etl2parquet/etl2parquet/schema"
)

// nameEvents gives each event of a provider one name: the one that the text states or else the name of
// its newest form, with the id as a suffix if other events of the provider have the same name. All
// versions and forms of an event get this name, so that they share a table.
func nameEvents(p *packed.Provider) {
	names, stated := make(map[uint16]string), make(map[uint16]string)
	newest := make(map[uint16]int64) // version and build
	for i := range p.Events {
		ev := &p.Events[i]
		if ev.Name != "" {
			stated[ev.ID] = ev.Name
		}
		age := int64(ev.Version) << 32
		if n := len(ev.Builds); n > 0 {
			age += int64(ev.Builds[n-1])
		}
		if old, known := newest[ev.ID]; !known || age > old {
			names[ev.ID], newest[ev.ID] = ev.NameOf(schema.IsNameText), age
		}
	}
	with := make(map[string]int) // events with a folder
	for id := range names {
		if stated[id] != "" {
			names[id] = stated[id]
		}
		with[folder(names[id])]++
	}
	for i := range p.Events {
		ev := &p.Events[i]
		name := names[ev.ID]
		switch {
		case stated[ev.ID] != "" || with[folder(name)] == 1:
		case name == ev.OpcodeName && ev.TaskName != "": // without the task, which is a sentence, it says little
			name = strconv.Itoa(int(ev.ID))
		default:
			name = fmt.Sprintf("%s_%d", name, ev.ID)
		}
		ev.Name = name
	}
}

// folder returns the folder for the tables of a name, in lower case. Two names must not share it.
func folder(name string) string { return strings.ToLower(schema.FolderName(name)) }
