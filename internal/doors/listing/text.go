package listing

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/etl2parquet/etl2parquet/decode/tracelogging"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
)

// Options say how to write a listing.
type Options struct {
	JSON  bool
	Width int // of a page
	Style texts.Style
}

// WriteList lists the providers that match a pattern. The error is a [PatternError] if it is
// malformed.
func (c Catalogs) WriteList(w io.Writer, pattern string, o Options) error {
	list, err := c.List(pattern)
	switch {
	case err != nil:
		return err
	case len(list) == 0:
		return fmt.Errorf("no known provider matches %q%s", pattern, c.meant(pattern))
	case o.JSON:
		return texts.WriteJSONLines(w, list)
	}
	writeList(w, o.Width, list)
	return nil
}

// WriteProvider prints the providers of a name or GUID, with the events that match a pattern, an id
// or a name; "" lists all events, without their fields.
func (c Catalogs) WriteProvider(w io.Writer, name, event string, o Options) error {
	ids := c.Named(name)
	if len(ids) == 0 {
		return fmt.Errorf("no known provider is called %q%s", name, c.meant(name))
	}
	var list []*Shown
	var without error
	for _, id := range ids {
		shown, err := c.Show(id, event)
		switch {
		case errors.Is(err, ErrNoEvent): // another provider of the name may have it
			without = errors.Join(without, err)
		case err != nil:
			return err
		default:
			list = append(list, shown)
		}
	}
	if list == nil {
		return without
	}
	if o.JSON {
		return texts.WriteJSONLines(w, list)
	}
	for _, shown := range list {
		shown.Write(w, o, event != "")
	}
	return nil
}

// meant returns a hint that names providers similar to the wanted one, or "".
func (c Catalogs) meant(name string) string {
	if names := c.Nearest(name); len(names) > 0 {
		return "; " + texts.DidYouMean(names)
	}
	return ""
}

// WriteGUIDs prints the GUIDs of the providers of a name or, if no catalogue knows one, the GUID that
// a TraceLogging or EventSource provider derives from its name.
func (c Catalogs) WriteGUIDs(w io.Writer, provider string) error {
	ids := c.Named(provider)
	if len(ids) == 0 {
		ids = append(ids, tracelogging.ProviderGUID(provider))
	}
	for _, id := range ids {
		if _, err := fmt.Fprintln(w, id); err != nil {
			return err
		}
	}
	return nil
}

// writeList lists providers, wrapped to a width.
func writeList(w io.Writer, width int, list []Provider) {
	g := texts.Grid{Right: []bool{false, true}}
	for i := range list {
		events := "-"
		if list[i].Kind == "component" {
			events = "component"
		}
		if list[i].Events > 0 {
			events = strconv.Itoa(list[i].Events)
		}
		g.Add(list[i].GUID, events, texts.Printable(list[i].Name))
	}
	g.Print(w, width)
}

// wide is the width from which a page has the level of each event. On a narrower one, the names of
// events end the rows, because they are not cut.
const wide = 100

// Write prints a provider with its events, and the fields of each if wanted.
func (p *Shown) Write(w io.Writer, o Options, fields bool) {
	width := o.Width
	title := texts.Grid{Head: true, Style: o.Style}
	title.Add(texts.Printable(p.Name))
	title.Print(w, width)
	about := texts.Grid{Indent: "  "}
	about.Add(p.GUID)
	for _, name := range p.OtherNames {
		about.Add("also " + texts.Printable(name))
	}
	only := "only its name is known, none of its events"
	if p.Kind == "component" {
		only = "a component, which logs WPP messages or classic events: only its name is known"
	}
	if len(p.List) == 0 {
		about.Add(only)
	}
	about.Print(w, width)
	g := texts.Grid{Indent: "  ", Right: []bool{true, true}, Head: true, Style: o.Style}
	row := func(id, version, level, event, fields, builds string) {
		if width < wide {
			g.Add(id, version, fields, builds, event)
		} else {
			g.Add(id, version, level, event, fields, builds)
		}
	}
	for i := range p.List {
		ev := &p.List[i]
		if fields || i == 0 {
			row("id", "version", "level", "event", "fields", "builds of Windows")
		}
		version := strconv.Itoa(int(ev.Version))
		if ev.AnyVersion {
			version = "any"
		}
		row(strconv.Itoa(int(ev.ID)), version, texts.Printable(ev.Level), texts.Printable(ev.Name), strconv.Itoa(len(ev.Fields)), p.ranges(ev.Builds))
		if fields {
			fmt.Fprintln(w)
			g.Print(w, width)
			fieldGrid := texts.Grid{Indent: "    "}
			addFields(&fieldGrid, ev.Fields, "")
			fieldGrid.Print(w, width)
			g = texts.Grid{Indent: "  ", Right: []bool{true, true}, Head: true, Style: o.Style}
		}
	}
	if g.Rows() > 0 {
		fmt.Fprintln(w)
		g.Print(w, width)
	}
}

// ranges lists builds. It abbreviates builds that are consecutive in the catalogue to the first and
// the last.
func (p *Shown) ranges(list []int) string {
	var words []string
	for i := 0; i < len(list); {
		at := slices.Index(p.builds, list[i])
		n := 1
		for i+n < len(list) && at+n < len(p.builds) && p.builds[at+n] == list[i+n] {
			n++
		}
		word := strconv.Itoa(list[i])
		if n > 1 {
			word += "-" + strconv.Itoa(list[i+n-1])
		}
		words = append(words, word)
		i += n
	}
	return strings.Join(words, " ")
}

// addFields adds a row for each field, and below a structure a row for each member.
func addFields(g *texts.Grid, list []Field, indent string) {
	for i := range list {
		f := &list[i]
		words := []string{f.InType}
		for _, more := range []struct{ word, value string }{{"", f.OutType}, {"count ", f.Count}, {"length ", f.Length}, {"map ", f.Map}, {"", f.Unstated}} {
			if more.value != "" {
				words = append(words, more.word+more.value)
			}
		}
		g.Add(indent+f.Column, texts.Printable(strings.Join(words, ", ")))
		addFields(g, f.Fields, indent+"  ")
	}
}
