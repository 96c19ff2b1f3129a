// Package listing lists the contents of catalogues: their providers, and a provider's events
// and fields. "etl2parquet catalog --json" prints its types as JSON; fields may be added, but
// none is renamed or changes its meaning.
package listing

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/packed"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Catalogs are the catalogues to search in order: the user's, then the built-in one.
type Catalogs []*packed.Catalog

// Provider is a provider, event class or group of messages that a catalogue knows.
type Provider struct {
	GUID       string   `json:"provider_id"`
	Name       string   `json:"provider_name"`
	OtherNames []string `json:"other_names"` // in other builds of Windows
	Events     int      `json:"events"`      // forms of events; 0: only the name is known
	Kind       string   `json:"kind"`        // provider, or component: a part of a program that logs WPP messages or classic events
}

func providerOf(e *packed.Entry) Provider {
	kind := "provider"
	if e.IsComponent {
		kind = "component"
	}
	return Provider{e.GUID.String(), e.Name, append([]string{}, e.OtherNames...), e.Events, kind}
}

// PatternError means that a pattern is malformed.
type PatternError struct {
	Pattern string
	Err     error
}

func (e *PatternError) Error() string { return fmt.Sprintf("pattern %q: %v", e.Pattern, e.Err) }

func (e *PatternError) Unwrap() error { return e.Err }

// List returns the providers whose name or GUID matches a pattern, by name.
func (c Catalogs) List(pattern string) ([]Provider, error) {
	if err := schema.CheckPattern(pattern); err != nil {
		return nil, &PatternError{pattern, err}
	}
	var list []Provider
	seen := make(map[schema.GUID]bool)
	for _, one := range c {
		for _, e := range one.Entries() {
			if seen[e.GUID] || !matches(pattern, &e) {
				continue
			}
			seen[e.GUID] = true
			list = append(list, providerOf(&e))
		}
	}
	slices.SortFunc(list, func(a, b Provider) int {
		return cmp.Or(strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), strings.Compare(a.GUID, b.GUID))
	})
	return list, nil
}

// matches reports whether a pattern, or a part of a name, matches a provider.
func matches(pattern string, e *packed.Entry) bool {
	if pattern == "" {
		return true
	}
	for _, name := range append([]string{e.Name, e.GUID.String()}, e.OtherNames...) {
		if schema.Match(pattern, name) || !schema.IsPattern(pattern) && strings.Contains(strings.ToLower(name), strings.ToLower(pattern)) {
			return true
		}
	}
	return false
}

// Named returns the GUIDs of the providers with a name, in any case, or of the provider with this
// GUID.
func (c Catalogs) Named(name string) (ids []schema.GUID) {
	id, err := schema.ParseGUID(strings.Trim(name, "{}"))
	for _, one := range c {
		for _, e := range one.Entries() {
			is := err == nil && e.GUID == id || strings.EqualFold(e.Name, name) ||
				slices.ContainsFunc(e.OtherNames, func(other string) bool { return strings.EqualFold(other, name) })
			if is && !slices.Contains(ids, e.GUID) {
				ids = append(ids, e.GUID)
			}
		}
	}
	return ids
}

// NameOf returns the name of a provider, or "".
func (c Catalogs) NameOf(id schema.GUID) string {
	for _, one := range c {
		if e, ok := one.Entry(id); ok {
			return e.Name
		}
	}
	return ""
}

// Nearest returns names of providers that are similar to a name.
func (c Catalogs) Nearest(name string) []string {
	var names []string
	for _, one := range c {
		for _, e := range one.Entries() {
			names = append(names, e.Name)
		}
	}
	return catalog.NearestProviders(name, names)
}

// Event is a form of an event: how some builds of Windows log it.
type Event struct {
	ID         uint16   `json:"event_id"`
	Version    uint8    `json:"event_version"`
	AnyVersion bool     `json:"any_version"` // all versions have this form
	Name       string   `json:"event_name"`
	Kind       string   `json:"kind"` // event, classic or message
	Level      string   `json:"level_name"`
	Task       string   `json:"task_name"`
	Opcode     string   `json:"opcode_name"`
	Keywords   []string `json:"keyword_names"`
	Channel    string   `json:"channel_name"`
	Builds     []int    `json:"builds"` // of Windows; empty if of no particular build
	Fields     []Field  `json:"fields"`
}

// Field is a field of an event, with the types that manifests give it.
type Field struct {
	Name    string `json:"name"`
	Column  string `json:"column_name"`
	InType  string `json:"in_type"`
	OutType string `json:"out_type,omitempty"`
	Count   string `json:"count,omitempty"` // of values: a number, or the column with the number
	Length  string `json:"length,omitempty"`
	Map     string `json:"map,omitempty"` // with names of its values
	// Unstated is what no source states. The field is read only if the payload leaves one reading.
	Unstated string  `json:"unstated,omitempty"`
	Fields   []Field `json:"fields,omitempty"`
}

// ErrNoEvent means that a catalogue knows the provider but not the event.
var ErrNoEvent = errors.New("no such event")

// Shown is a provider with its events.
type Shown struct {
	Provider
	List []Event `json:"event_list"`

	builds []int // of the catalogue
}

// Show returns a provider with the events that match a pattern, an id or a name; "" matches all.
func (c Catalogs) Show(id schema.GUID, pattern string) (*Shown, error) {
	for _, one := range c {
		e, ok := one.Entry(id)
		if !ok {
			continue
		}
		p, err := one.Provider(id)
		if err != nil {
			return nil, err
		}
		s := &Shown{providerOf(e), []Event{}, one.Builds}
		if p == nil {
			return s, nil
		}
		for i := range p.Events {
			if ev := &p.Events[i]; means(pattern, ev) {
				s.List = append(s.List, eventOf(ev))
			}
		}
		if len(s.List) == 0 {
			return s, noEvent(e.Name, pattern, p.Events)
		}
		return s, nil
	}
	return nil, fmt.Errorf("no catalogue knows %s", id)
}

// noEvent returns the error for an event that a provider does not have, with similar names.
func noEvent(provider, pattern string, events []packed.Event) error {
	var names []string
	for i := range events {
		name := events[i].DisplayName()
		task, _, _ := strings.Cut(name, "/")
		names = append(names, name, task)
	}
	if near := texts.Nearest(pattern, names); len(near) > 0 {
		for i, name := range near { // a task alone is no name, but the beginning of one
			near[i] = names[slices.IndexFunc(names, func(n string) bool { return n == name || strings.HasPrefix(n, name+"/") })]
		}
		return fmt.Errorf("%s: %w: %q; %s", provider, ErrNoEvent, pattern, texts.DidYouMean(near))
	}
	return fmt.Errorf("%s: %w: %q; \"etl2parquet catalog show\" without it lists the events", provider, ErrNoEvent, pattern)
}

// means reports whether a name or pattern is of an event: any of its names, see [schema.EventNames].
func means(pattern string, ev *packed.Event) bool {
	n := catalog.EventNames(ev.Schema)
	return pattern == "" || n.Matches(pattern)
}

func eventOf(ev *packed.Event) Event {
	kind := "event"
	switch {
	case ev.Classic:
		kind = "classic"
	case ev.Source == schema.FromTMF:
		kind = "message"
	}
	return Event{ev.ID, ev.Version, ev.AnyVersion, ev.DisplayName(), kind, ev.LevelName, ev.TaskName, ev.OpcodeName,
		append([]string{}, ev.Keywords...), ev.ChannelName, append([]int{}, ev.Builds...), fieldsOf(ev.Fields)}
}

func fieldsOf(list []schema.Field) []Field {
	fields := []Field{}
	for i := range list {
		f := &list[i]
		in, out := f.SourceTypes()
		shown := Field{Name: f.OriginalName(), Column: f.Name, InType: in, OutType: out, Count: amount(f.Count, f.CountField), Length: amount(f.Length, f.LengthField)}
		if f.Unstated != 0 {
			shown.Unstated = f.Unstated.String()
		}
		if f.Map != nil {
			shown.Map = f.Map.Name
		}
		if f.Struct != nil {
			shown.Fields = fieldsOf(f.Struct)
		}
		fields = append(fields, shown)
	}
	return fields
}

// amount returns a count or length as text, or "" if there is none.
func amount(n int, field string) string {
	switch {
	case field != "":
		return field
	case n == schema.Rest:
		return "the rest"
	case n != 0:
		return strconv.Itoa(n)
	}
	return ""
}
