// Command catalog builds windows.catalog, the catalogue of Windows' own providers, from the
// facts in ../shared. The same facts give the same bytes.
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
	words := newVocabulary(providers)
	for i := range providers {
		nameEvents(&providers[i], words)
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

// readManifests reads the manifests that have more facts about their providers than the catalogue.
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

// addManifest adds a manifest's facts about a provider, without its messages, whose texts are not
// facts. A form of an event with the same fields is completed by them. An event without such a form
// gets the manifest's form: as of Windows 8 if the builds have other forms, because these manifests
// are from Windows 7 and 8, and Windows 7 is among the builds. Events of the .NET runtime, which no
// build of Windows logs, have no build, and are tried first.
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
	if strings.HasPrefix(p.Name, runtimes) {
		for i := range p.Events {
			widen(p.Events[i].Fields, m.Maps)
		}
	}
	return providers
}

// widen gives fields the maps of a later runtime that have further names and no other ones.
func widen(fields []schema.Field, later []*schema.Values) {
	for i := range fields {
		f := &fields[i]
		widen(f.Struct, later)
		for _, m := range later {
			if f.Map != nil && m.Name == f.Map.Name && m.Extends(f.Map) {
				f.Map = m
			}
		}
	}
}

// naming are the manifests whose names of tasks and opcodes are better than those of the builds: the
// other manifests have sentences or symbols.
var naming = map[string]bool{"ClrEtwAll.man": true, "HTTP_Server.man": true}

// runtimes begins the names of the providers of the .NET runtime, which is not part of Windows.
const runtimes = "Microsoft-Windows-DotNETRuntime"

// windows8 is the build of Windows 8.
const windows8 = 9200

// agree reports whether two descriptions have fields with the same names and types, as far as both
// state them.
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

// complete adds a manifest's facts about the fields of a form and, if names is true, its names.
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

// nameAsOthers sets an event's names of task and opcode to those of other events of its provider,
// because manifests of other times may have different names.
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

// addNames adds the names of providers without known events.
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
