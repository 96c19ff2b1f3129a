package schema

import (
	_ "embed"
	"fmt"
	"math/bits"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
)

// The tables of names for columns of headers and of the trace.
const (
	EventFlagsValues    = "event_flags"
	EventPropertyValues = "event_property"
	MessageFlagsValues  = "message_flags"
)

// Values names the numbers of a field: an enumeration, or the bits of a set.
type Values struct {
	Name  string      // snake_case; fields refer to the table by it
	Doc   string      // the subject of the names, and which bits of the field to pass if not all
	Ref   string      // source of the names
	Flags bool        // each name is one bit, except the name of zero
	Names []ValueName // by ascending, distinct value
}

// ValueName is a number with Microsoft's name for it.
type ValueName struct {
	Value uint64
	Name  string
}

// Extends reports whether v has all names of other for their values, and may have further ones.
func (v *Values) Extends(other *Values) bool {
	return v.Flags == other.Flags && !slices.ContainsFunc(other.Names, func(n ValueName) bool { return !slices.Contains(v.Names, n) })
}

// AllValues returns the tables of names in the order of their fields' events, then those of
// headers. The caller must not change them.
func AllValues() []*Values { return allValues() }

// LookupValues returns the table of a name.
func LookupValues(name string) (*Values, bool) {
	v, ok := valuesByName()[name]
	return v, ok
}

// valuesText has the tables. Its first lines describe its form.
//
//go:embed values.txt
var valuesText string

var allValues = sync.OnceValue(func() []*Values {
	tables, err := parseValues(valuesText)
	if err != nil {
		panic(err) // a test reads it
	}
	return tables
})

// parseValues reads tables in the form of values.txt.
func parseValues(text string) (tables []*Values, err error) {
	number := 0
	var v *Values
	for line := range strings.Lines(text) {
		number++
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch {
		case word == "" || word == "#":
		case word == "values" || word == "flags":
			v = &Values{Name: rest, Flags: word == "flags"}
			tables = append(tables, v)
		case v == nil:
			return nil, fmt.Errorf("values.txt:%d: %q before the first table", number, word)
		case word == "doc":
			v.Doc = rest
		case word == "ref":
			v.Ref = rest
		default:
			n, err := strconv.ParseUint(word, 0, 64)
			if err != nil || rest == "" || v.Flags && strings.Contains(rest, " ") {
				return nil, fmt.Errorf("values.txt:%d: %q of %s, want a number and its name", number, word+" "+rest, v.Name)
			}
			for name := range strings.FieldsSeq(rest) {
				v.Names = append(v.Names, ValueName{n, name})
				n++
			}
		}
	}
	return tables, nil
}

var valuesByName = sync.OnceValue(func() map[string]*Values {
	byName := make(map[string]*Values, len(allValues()))
	for _, v := range allValues() {
		byName[v.Name] = v
	}
	return byName
})

// Text returns the name of n, the field's bits without sign extension.
//
// For an enumeration it is "" if n has no name, which stands for NULL. For a set it is the
// names of the bits, lowest first and joined by "|", followed by the bits without a name as
// one hexadecimal number; "" for the empty set, unless zero has a name. Text does not
// allocate if the result is a single name or "".
func (v *Values) Text(n uint64) string {
	if name := v.find(n); name != "" || !v.Flags || n == 0 {
		return name
	}
	return string(v.AppendText(nil, n))
}

// AppendText appends the result of Text.
func (v *Values) AppendText(dst []byte, n uint64) []byte {
	if name := v.find(n); name != "" || !v.Flags || n == 0 {
		return append(dst, name...)
	}
	start, unnamed := len(dst), uint64(0)
	for rest := n; rest != 0; rest &= rest - 1 {
		bit := uint64(1) << bits.TrailingZeros64(rest)
		name := v.find(bit)
		if name == "" {
			unnamed |= bit
			continue
		}
		if len(dst) > start {
			dst = append(dst, '|')
		}
		dst = append(dst, name...)
	}
	if unnamed == 0 {
		return dst
	}
	if len(dst) > start {
		dst = append(dst, '|')
	}
	return strconv.AppendUint(append(dst, "0x"...), unnamed, 16)
}

// find returns the name of exactly n, or "".
func (v *Values) find(n uint64) string {
	names := v.Names
	if len(names) == 0 || n < names[0].Value {
		return ""
	}
	// Most tables have consecutive values, at least at the start.
	if i := n - names[0].Value; i < uint64(len(names)) && names[i].Value == n {
		return names[i].Name
	}
	i := sort.Search(len(names), func(i int) bool { return names[i].Value >= n })
	if i < len(names) && names[i].Value == n {
		return names[i].Name
	}
	return ""
}

// numbered names the numbers from 0 on.
func numbered(names ...string) []ValueName {
	out := make([]ValueName, len(names))
	for i, name := range names {
		out[i] = ValueName{uint64(i), name}
	}
	return out
}
