// Command generate makes windows.catalog, the catalogue of Windows' own providers, from the
// facts in ../shared. It makes the same bytes from the same facts.
//
//	go run ./internal/catalog/windows/generate ../shared windows.catalog
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/etl2parquet/etl2parquet/decode/manifest"
	"github.com/etl2parquet/etl2parquet/internal/catalog/packed"
	"github.com/etl2parquet/etl2parquet/schema"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: generate SHARED FILE")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
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
		for j := range p.Events {
			builds = append(builds, p.Events[j].Builds...)
		}
		providers = append(providers, p)
	}
	for i := range manifests {
		providers = prefer(providers, &manifests[i])
	}
	for i := range providers {
		nameEvents(&providers[i])
	}
	if providers, err = addClassic(providers, filepath.Join(shared, "catalog")); err != nil {
		return nil, err
	}
	slices.Sort(builds)
	return packed.Pack(providers, slices.Compact(builds))
}

// readManifests reads the manifests that say more of their providers than the catalogue does.
func readManifests(folder string) (list []manifest.Provider, err error) {
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
		list = append(list, m.Providers...)
	}
	return list, nil
}

// prefer puts the events of a manifest in the place of those with the same id and version,
// without their messages, whose texts are not facts.
func prefer(providers []packed.Provider, m *manifest.Provider) []packed.Provider {
	i := slices.IndexFunc(providers, func(p packed.Provider) bool { return p.GUID == m.GUID })
	if i < 0 {
		i = len(providers)
		providers = append(providers, packed.Provider{GUID: m.GUID, Name: m.Name})
	}
	p := &providers[i]
	for _, ev := range m.Events {
		p.Events = slices.DeleteFunc(p.Events, func(old packed.Event) bool { return old.ID == ev.ID && old.Version == ev.Version })
		own := *ev.Schema
		own.Class = p.Name
		p.Events = append(p.Events, packed.Event{Schema: &own})
	}
	return providers
}

// addClassic adds the names of the providers that only classic events and messages name.
func addClassic(providers []packed.Provider, folder string) ([]packed.Provider, error) {
	names, err := readClassic(folder)
	if err != nil {
		return nil, err
	}
	for i := range providers {
		delete(names, providers[i].GUID)
	}
	for id, name := range names {
		providers = append(providers, packed.Provider{GUID: id, Name: name})
	}
	return providers, nil
}
