package catalog

import (
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/windows"
)

// NearestProviders returns the names of providers that are similar to a name: of a trace's own or, if
// none is, of those that the built-in catalogue knows. Many people leave out the beginning of a name,
// Microsoft-Windows-.
func NearestProviders(name string, own []string) []string {
	if near := nearestProviders(name, own); len(near) > 0 {
		return near
	}
	var known []string
	for _, e := range windows.Catalog().Entries() {
		known = append(known, e.Name)
	}
	return nearestProviders(name, known)
}

func nearestProviders(name string, names []string) []string {
	if near := texts.Nearest(name, names); len(near) > 0 {
		return near
	}
	full := make(map[string]string)
	var short []string
	for _, n := range names {
		if s := withoutVendor(n); s != n && full[s] == "" {
			full[s] = n
			short = append(short, s)
		}
	}
	var near []string
	for _, s := range texts.Nearest(withoutVendor(name), short) {
		near = append(near, full[s])
	}
	return near
}

// withoutVendor returns the name of a provider without its usual beginning.
func withoutVendor(name string) string {
	for _, prefix := range []string{"Microsoft-Windows-", "Microsoft.Windows.", "Microsoft-", "Windows-"} {
		if len(name) > len(prefix) && strings.EqualFold(name[:len(prefix)], prefix) {
			return name[len(prefix):]
		}
	}
	return name
}

// NearestTables returns the names in SQL of events of the built-in catalogue that a name, which no
// table has, may mean: of the events that are called so, or of similar names of its provider's events.
func NearestTables(name string) []string {
	var names []string
	for _, t := range KnownTables(name, true) {
		names = append(names, t.ViewName())
	}
	const most = 3
	if len(names) > 0 {
		return names[:min(len(names), most)]
	}
	c := windows.Catalog()
	for i := range c.Entries() {
		e := &c.Entries()[i]
		if e.Events == 0 || !beginsWithProvider(name, e) {
			continue
		}
		p, err := c.Provider(e.GUID)
		if err != nil {
			panic(err) // the catalogue is in the program; a test unpacks all of it
		}
		for k := range p.Events {
			n := EventNames(p.Events[k].Schema)
			names = append(names, n.SQLName())
		}
	}
	return texts.Nearest(strings.ToLower(name), names)
}

// ProvidersWith returns the names of providers of the built-in catalogue that begin with a text, in
// any case, in order.
func ProvidersWith(begin string) (names []string) {
	for _, e := range windows.Catalog().Entries() {
		if !e.IsComponent && hasPrefixFold(e.Name, begin) {
			names = append(names, e.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// EventsWith returns the names of events of the built-in catalogue, after their providers, that begin
// with a text, in any case, in order. It needs a provider and a slash.
func EventsWith(begin string) (names []string) {
	c := windows.Catalog()
	for i := range c.Entries() {
		e := &c.Entries()[i]
		if e.Events == 0 || !hasPrefixFold(begin, e.Name+"/") {
			continue
		}
		p, err := c.Provider(e.GUID)
		if err != nil {
			panic(err) // the catalogue is in the program; a test unpacks all of it
		}
		for k := range p.Events {
			if name := e.Name + "/" + p.Events[k].DisplayName(); hasPrefixFold(name, begin) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func hasPrefixFold(text, prefix string) bool {
	return len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix)
}
