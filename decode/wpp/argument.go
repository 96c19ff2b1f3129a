package wpp

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/schema"
)

// arguments reads the arguments of a message, from the opening to the closing brace. There are no
// more fields after an item of unknown size. spelled reports, for each field, whether its text has
// a special form. ok is false if the message cannot be read; the error has then been recorded.
func (p *parser) arguments(m *Message) (spelled []bool, ok bool) {
	if more := p.next(); !more || p.line != "{" {
		p.fault(corrupt("no { after message %d", m.ID))
		p.again = more
		return nil, false
	}
	var expressions []string
	sized := true
	for n := 0; ; n++ {
		if !p.next() {
			p.fault(corrupt("the arguments of message %d have no closing }", m.ID))
			return nil, false
		}
		if p.line == "}" {
			break
		}
		expression, item, list, err := parseArgument(p.line, firstArgument+n)
		if err != nil {
			p.fault(err)
			p.again = true
			p.skip()
			return nil, false
		}
		known, isKnown := items[strings.ToLower(item)]
		if !isKnown && sized {
			p.fault(fmt.Errorf("%w: the size of %s is unknown; the arguments after it are not decoded", decode.ErrUnsupported, item))
		}
		if sized = sized && isKnown; !sized {
			continue
		}
		if p.allArguments++; p.allArguments > maxAllArguments {
			p.fault(p.stop("arguments", maxAllArguments))
			return nil, false
		}
		f := known.Field
		f.Original, f.InType = expression, item
		f.Doc = expression + ", " + item
		if f.Map, err = known.values(list); err != nil {
			p.fault(err)
		}
		if f.Map != nil {
			p.names += len(f.Map.Names)
		}
		if p.names > maxNames {
			p.fault(p.stop("names of numbers", maxNames))
			return nil, false
		}
		if known.names == typeOf && list != "" {
			f.Doc += "(" + list + ")"
		}
		m.Fields = append(m.Fields, f)
		spelled = append(spelled, known.spelled)
		expressions = append(expressions, expression)
	}
	for i, name := range schema.ColumnNames(expressions) {
		m.Fields[i].Name = name
		if m.Fields[i].Map != nil {
			m.Fields[i].Map.Name = name
		}
	}
	return spelled, true
}

// parseArgument parses the line of the argument with this number.
func parseArgument(line string, number int) (expression, item, list string, err error) {
	dashes := strings.LastIndex(line, "--")
	if dashes < 0 {
		return "", "", "", corrupt("no argument: %.40q", line)
	}
	if text := strings.TrimSpace(line[dashes+2:]); text != strconv.Itoa(number) || number >= firstArgument+maxArguments {
		return "", "", "", corrupt("argument %.40q where %d is next", text, number)
	}
	before := strings.TrimSpace(line[:dashes])
	for comma := strings.LastIndexByte(before, ','); comma >= 0; comma = strings.LastIndexByte(before[:comma], ',') {
		var ok bool
		if item, list, ok = parseItem(strings.TrimSpace(before[comma+1:])); ok {
			return strings.TrimSpace(before[:comma]), item, list, nil
		}
	}
	return "", "", "", corrupt("no item: %.40q", line)
}

// values returns the names of an item's numbers, or nil. A name can give its number; the next name
// then has the following number. The first name of a number wins.
func (i *item) values(list string) (*schema.Values, error) {
	if i.names != numbers && i.names != bits || strings.TrimSpace(list) == "" {
		return nil, nil
	}
	v := &schema.Values{Flags: i.names == bits}
	width, _ := i.Kind.Width(0)
	least, below := int64(-1)<<(8*width-1), int64(1)<<(8*width)
	if v.Flags {
		least, below = 0, int64(8*width)
	}
	next := int64(0)
	for _, name := range strings.Split(list, ",") {
		name, number, ok := strings.Cut(name, "=")
		if ok {
			n, err := strconv.ParseInt(strings.TrimSpace(number), 0, 64)
			if err != nil {
				return nil, corrupt("%.40q is no number", number)
			}
			next = n
		}
		if next < least || next >= below {
			return nil, corrupt("%.40q has a number that does not fit", name)
		}
		if name = strings.TrimSpace(name); name != "" {
			v.Names = append(v.Names, schema.ValueName{Value: uint64(next) & (1<<(8*width) - 1), Name: name})
		}
		next++
	}
	if v.Flags {
		for i := range v.Names {
			v.Names[i].Value = 1 << v.Names[i].Value
		}
	}
	slices.SortStableFunc(v.Names, func(a, b schema.ValueName) int { return cmp.Compare(a.Value, b.Value) })
	v.Names = slices.CompactFunc(v.Names, func(a, b schema.ValueName) bool { return a.Value == b.Value })
	return v, nil
}
