package manifest

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/etl2parquet/etl2parquet/decode/definition"
	"github.com/etl2parquet/etl2parquet/schema"
)

// valueMap is a map of a provider, for fields of any width.
type valueMap struct {
	values *schema.Values
	narrow map[int]*schema.Values // by the number of bits, if they differ
}

// valueMap reads a map. The first entry of a value wins.
func (r *reader) valueMap(e *element) *valueMap {
	v := &schema.Values{Name: e.get("name"), Flags: e.name == "bitMap"}
	for _, c := range e.childrenOf("map") {
		value, err := mapValue(c.get("value"))
		if err != nil {
			r.fail(c.pos, "map %s: invalid value %s", quote(v.Name), quote(c.get("value")))
			continue
		}
		name := definition.Cut(r.message(c), maxName)
		if name == "" {
			name = c.get("symbol")
		}
		if name != "" {
			v.Names = append(v.Names, schema.ValueName{Value: value, Name: name})
		}
	}
	sortNames(v)
	return &valueMap{values: v, narrow: make(map[int]*schema.Values)}
}

// patternMap returns an empty map for a pattern map, which maps regular expressions
// to texts and names no numbers. A manifest may have one, but Windows does not use it
// ("Not used", Microsoft's documentation of PatternMapType).
func patternMap(name string) *valueMap {
	return &valueMap{values: &schema.Values{Name: name}}
}

// mapValue parses a number that may be negative.
func mapValue(text string) (uint64, error) {
	n, err := number(text, 64)
	if err != nil {
		if signed, err := strconv.ParseInt(text, 10, 64); err == nil {
			return uint64(signed), nil
		}
	}
	return n, err
}

func sortNames(v *schema.Values) {
	slices.SortStableFunc(v.Names, func(a, b schema.ValueName) int { return cmp.Compare(a.Value, b.Value) })
	v.Names = slices.CompactFunc(v.Names, func(a, b schema.ValueName) bool { return a.Value == b.Value })
}

// of returns the names for numbers of this many bits: EventSource writes -1 with
// more bits than the field has.
func (m *valueMap) of(bits int) *schema.Values {
	all := m.values.Names
	if len(all) == 0 || all[len(all)-1].Value>>(bits-1)>>1 == 0 {
		return m.values
	}
	if v := m.narrow[bits]; v != nil {
		return v
	}
	v := &schema.Values{Name: m.values.Name, Flags: m.values.Flags, Names: slices.Clone(all)}
	for i := range v.Names {
		v.Names[i].Value &= 1<<bits - 1
	}
	sortNames(v)
	m.narrow[bits] = v
	return v
}
