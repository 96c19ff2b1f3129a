package main

import (
	"cmp"
	"maps"
	"regexp"
	"slices"

	"github.com/etl2parquet/etl2parquet/decode/tdh"
	"github.com/etl2parquet/etl2parquet/schema"
)

// namedSizes are the sizes of binary values that a name stands for.
var namedSizes = []struct {
	name  *regexp.Regexp
	sizes []int
}{
	{regexp.MustCompile(`(?i)sha-?1`), []int{20}},       // FIPS 180-4
	{regexp.MustCompile(`(?i)sha-?256`), []int{32}},     // FIPS 180-4
	{regexp.MustCompile(`(?i)md5`), []int{16}},          // RFC 1321
	{regexp.MustCompile(`(?i)luid$`), []int{8}},         // LUID of winnt.h
	{regexp.MustCompile(`(?i)ipv6address$`), []int{16}}, // RFC 4291
	{regexp.MustCompile(`(?i)hash`), []int{16, 20, 32, 48, 64}},
}

// seenField is a field of all versions of an event.
type seenField struct {
	provider string
	event    uint16
	name     string
}

// seenOutTypes are out-types of fields that records of real traces state, but neither the builds nor
// templates.
var seenOutTypes = map[seenField]string{
	{"Microsoft-Windows-PktMon", 160, "DropLocation"}: "HexInt32",      // PktMon.etl
	{"Microsoft-Windows-DNS-Client", 1001, "Address"}: "SocketAddress", // net.4.5.2.x86.etl
}

// seenMaps are maps of fields of a provider, by the names of the fields, that records of real traces
// state. Windows' tools print a map with the first event that uses it, and no other.
var seenMaps = map[string]map[string]string{
	"Microsoft-Windows-PktMon": { // PktMon.etl
		"DirTag": "DirectionTag", "DirTagIn": "DirectionTag", "DirTagOut": "DirectionTag",
		"PacketType": "PacketType", "DropReason": "DropReason",
	},
}

// seenValues are maps that only records of real traces have, by provider and name.
var seenValues = map[string]map[string]sourceMap{
	"Microsoft-Windows-PktMon": { // PktMon.etl
		"DirectionTag": {labels: map[string]string{"0": "None", "1": "In", "2": "Out", "3": "Rx", "4": "Tx", "5": "Ingress", "6": "Egress"}},
	},
}

// stateMaps sets the maps that real traces state. Their values are those of the newest build.
func stateMaps(p *sourceProvider) {
	fields := seenMaps[p.Name]
	if fields == nil {
		return
	}
	values, newest := maps.Clone(seenValues[p.Name]), make(map[string]int)
	for _, e := range p.Events {
		for _, form := range e.Forms {
			for name, m := range form.Maps {
				if build := slices.Max(form.Builds); build > newest[name] {
					values[name], newest[name] = m, build
				}
			}
		}
	}
	for i := range p.Events {
		for j := range p.Events[i].Forms {
			form := &p.Events[i].Forms[j]
			if form.Maps == nil {
				form.Maps = make(map[string]sourceMap)
			}
			for k := range form.Fields {
				f := &form.Fields[k]
				name := fields[f.Name]
				if name == "" || f.Map != "" {
					continue
				}
				f.Map = name
				if _, has := form.Maps[name]; !has {
					form.Maps[name] = values[name]
				}
			}
		}
	}
}

// stateSeen sets the out-types that real traces state in the fields of an event.
func stateSeen(provider string, event uint16, fields []sourceField) {
	for i := range fields {
		f := &fields[i]
		f.Out = cmp.Or(f.Out, seenOutTypes[seenField{provider, event, f.Name}])
	}
}

// sizesOf returns the possible sizes of a binary value of an unstated length: the size of fields of
// this name elsewhere, or the sizes that its name implies. nil means any size.
func sizesOf(f *sourceField) []int {
	if f.LikelyLength > 0 {
		return []int{f.LikelyLength}
	}
	for _, known := range namedSizes {
		if known.name.MatchString(f.Name) {
			return known.sizes
		}
	}
	return nil
}

// likelyMembers returns the members that structures of this name have elsewhere, unless the field
// could also be a plain value of as many bytes.
func likelyMembers(f *sourceField) []sourceField {
	if f.LikelyFields == nil {
		return nil
	}
	plain, isPlain := width(f.Type, 8)
	if !isPlain {
		plain = 16 // maximum size of a plain value of constant size
	}
	if leastBytes(f.LikelyFields) <= plain {
		return nil
	}
	return f.LikelyFields
}

// leastBytes returns the least number of bytes that members take.
func leastBytes(members []sourceField) (n int) {
	for i := range members {
		m := &members[i]
		if m.Count.field != "" {
			continue
		}
		one, _ := width(m.Type, 4)
		n += one * max(m.Count.number, 1)
	}
	return n
}

// width returns the size of a value of a type, or the minimum size of a NUL-terminated text; isPlain
// reports whether all values have this size.
func width(name string, pointerSize int) (bytes int, isPlain bool) {
	in, ok := tdh.ParseInType(name)
	var f schema.Field
	if !ok || tdh.Apply(&f, in, tdh.Default) != nil {
		return 0, false
	}
	switch bytes, isPlain = f.Kind.Width(pointerSize); {
	case f.Kind == schema.Text16:
		return 2, false
	case f.Kind == schema.Text8:
		return 1, false
	case f.Kind.HasLength():
		return 0, false
	}
	return bytes, isPlain
}
