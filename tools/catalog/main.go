// Command catalog makes windows.catalog, the catalogue of Windows' own providers, from the
// facts in ../shared. It makes the same bytes from the same facts.
//
//	go run ./tools/catalog ../shared windows.catalog
package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/decode/manifest"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/corrections"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/packed"
	"github.com/etl2parquet/etl2parquet/schema"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: catalog SHARED FILE")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "catalog:", err)
		os.Exit(1)
	}
}

func run(shared, path string) error {
	data, err := generate(shared)
	if err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o666)
}

// generate returns the catalogue.
func generate(shared string) ([]byte, error) {
	source, err := readProviders(filepath.Join(shared, "catalog"))
	if err != nil {
		return nil, err
	}
	manifests, err := readManifests(filepath.Join(shared, "manifests"))
	if err != nil {
		return nil, err
	}
	var providers []packed.Provider
	var builds []int
	for i := range source {
		p, err := convert(&source[i])
		if err != nil {
			return nil, err
		}
		providers = append(providers, p)
	}
	for i := range manifests {
		providers = addManifest(providers, &manifests[i])
	}
	for i := range providers {
		nameEvents(&providers[i])
		for j := range providers[i].Events {
			ev := &providers[i].Events[j]
			ev.Fields = corrections.Apply(ev.GUID, ev.ID, ev.Fields)
			builds = append(builds, ev.Builds...)
		}
	}
	if providers, err = addNames(providers, filepath.Join(shared, "catalog")); err != nil {
		return nil, err
	}
	slices.Sort(builds)
	return packed.Pack(providers, slices.Compact(builds))
}

// described is a provider as a manifest describes it.
type described struct {
	manifest.Provider
	file string // name of the manifest
}

// readManifests reads the manifests that say more of their providers than the catalogue does.
func readManifests(folder string) (list []described, err error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.man"))
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		m, err := manifest.Parse(data, schema.FromCatalog)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		for _, p := range m.Providers {
			list = append(list, described{p, filepath.Base(path)})
		}
	}
	return list, nil
}

// addManifest adds what a manifest says of a provider, without its messages, whose texts are
// not facts. A form of an event that has the same fields gets what it lacks of them. An event
// that has none like it gets the manifest's form: one of Windows 8 where the builds have
// others, as these manifests are of Windows 7 and 8 and Windows 7 is among the builds. Events
// of the .NET runtime, which no build of Windows logs, are of none, and are tried first.
func addManifest(providers []packed.Provider, m *described) []packed.Provider {
	i := slices.IndexFunc(providers, func(p packed.Provider) bool { return p.GUID == m.GUID })
	if i < 0 {
		i = len(providers)
		providers = append(providers, packed.Provider{GUID: m.GUID, Name: m.Name})
	}
	p := &providers[i]
	for _, ev := range m.Events {
		own, known, others := *ev.Schema, false, false
		own.Class = p.Name
		for j := range p.Events {
			form := &p.Events[j]
			if form.ID != ev.ID || form.Version != ev.Version {
				continue
			}
			others = true
			if agree(form.Fields, own.Fields) {
				known = true
				complete(form.Schema, &own, naming[m.file])
			}
		}
		if known {
			continue
		}
		nameAsOthers(&own, p.Events)
		added := packed.Event{Schema: &own}
		if others && !strings.HasPrefix(p.Name, runtimes) {
			added.Builds = []int{windows8}
		}
		p.Events = append(p.Events, added)
	}
	return providers
}

// naming are the manifests with better names of tasks and opcodes than what the builds print:
// the other ones have sentences, or symbols.
var naming = map[string]bool{"ClrEtwAll.man": true, "HTTP_Server.man": true}

// runtimes begins the names of the providers of the .NET runtime, which is not part of Windows.
const runtimes = "Microsoft-Windows-DotNETRuntime"

// windows8 is the build of Windows 8.
const windows8 = 9200

// agree reports whether two descriptions have the same fields: their names and types, where
// both state them.
func agree(a, b []schema.Field) bool {
	return slices.EqualFunc(a, b, func(a, b schema.Field) bool {
		if a.Original != b.Original {
			return false
		}
		if a.Unstated&schema.MembersUnstated != 0 || b.Unstated&schema.MembersUnstated != 0 {
			return true
		}
		if a.Struct != nil || b.Struct != nil {
			return agree(a.Struct, b.Struct)
		}
		return a.InType == b.InType
	})
}

// complete gives a form what a manifest says of its fields and, if wanted, its names.
func complete(form, from *schema.Schema, names bool) {
	for i := range form.Fields {
		f, more := &form.Fields[i], &from.Fields[i]
		values := cmp.Or(more.Map, f.Map)
		*f = *more
		f.Map = values
	}
	if names {
		own := *from
		own.Fields = form.Fields
		*form = own
	}
}

// nameAsOthers gives an event the names that other events of its provider have for its task and
// opcode: manifests of other times may have other ones.
func nameAsOthers(s *schema.Schema, others []packed.Event) {
	for i := range others {
		if other := &others[i]; other.Task == s.Task && other.TaskName != "" {
			s.TaskName = other.TaskName
			if other.Opcode == s.Opcode && other.OpcodeName != "" {
				s.OpcodeName = other.OpcodeName
				return
			}
		}
	}
}

// addNames adds the names of providers of which no event is known.
func addNames(providers []packed.Provider, folder string) ([]packed.Provider, error) {
	known := make(map[schema.GUID]bool)
	for i := range providers {
		known[providers[i].GUID] = true
	}
	for _, read := range []func(string) ([]packed.Provider, error){readClassic, readNames} {
		names, err := read(folder)
		if err != nil {
			return nil, err
		}
		for _, p := range names {
			if !known[p.GUID] {
				known[p.GUID] = true
				providers = append(providers, p)
			}
		}
	}
	return providers, nil
}
