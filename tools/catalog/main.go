// Command catalog builds windows.catalog, the catalogue of Windows' own providers, from the facts in
// knowledge. The same facts give the same bytes.
//
//	go run ./tools/catalog knowledge windows.catalog
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/corrections"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/packed"
	"github.com/etl2parquet/etl2parquet/schema"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: catalog KNOWLEDGE FILE")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "catalog:", err)
		os.Exit(1)
	}
}

func run(knowledge, path string) error {
	data, err := generate(knowledge)
	if err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o666)
}

// generate returns the catalogue.
func generate(knowledge string) ([]byte, error) {
	var builds []int
	providers, err := readNames(filepath.Join(knowledge, "names.txt"))
	if err != nil {
		return nil, err
	}
	err = eachProvider(knowledge, func(_ string, p *providerFile) {
		nameEvents(&p.Provider)
		for i := range p.Events {
			ev := &p.Events[i]
			ev.Fields = corrections.Apply(ev.GUID, ev.ID, ev.Fields)
			builds = append(builds, ev.Builds...)
		}
		providers = append(providers, p.Provider)
	})
	if err != nil {
		return nil, err
	}
	slices.Sort(builds)
	return packed.Pack(providers, slices.Compact(builds))
}

// eachProvider calls a function for each file of a provider.
func eachProvider(knowledge string, read func(path string, p *providerFile)) error {
	sources := make(map[string]bool)
	err := eachLine(filepath.Join(knowledge, "sources.txt"), func(line string) error {
		name, _, explained := strings.Cut(line, " ")
		if sources[name] || !explained {
			return fmt.Errorf("%q is explained twice, or not", name)
		}
		sources[name] = true
		return nil
	})
	if err != nil {
		return err
	}
	paths, err := filepath.Glob(filepath.Join(knowledge, "providers", "*.txt"))
	if err != nil {
		return err
	}
	for _, path := range paths {
		p, err := parseFile(path, sources)
		if err != nil {
			return err
		}
		read(path, p)
	}
	return nil
}

// readNames reads names.txt, which has providers, classes and components without known events: a GUID, a
// kind, a name and further names, with tabs between them.
func readNames(path string) (list []packed.Provider, err error) {
	err = eachLine(path, func(line string) error {
		words := strings.Split(line, "\t")
		if len(words) < 3 {
			return fmt.Errorf("%d columns", len(words))
		}
		id, err := schema.ParseGUID(words[0])
		if err != nil {
			return err
		}
		if kind := words[1]; kind != "provider" && kind != "class" && kind != "component" {
			return fmt.Errorf("%q is neither a provider, a class nor a component", kind)
		}
		list = append(list, packed.Provider{GUID: id, Name: words[2], OtherNames: words[3:], IsComponent: words[1] == "component"})
		return nil
	})
	return list, err
}
