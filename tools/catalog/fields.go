package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/etl2parquet/etl2parquet/decode/definition"
	"github.com/etl2parquet/etl2parquet/decode/tdh"
	"github.com/etl2parquet/etl2parquet/schema"
)

// fieldParser reads fields:
//
//	NAME:TYPE[/OUT-TYPE][?][[COUNT]][(LENGTH)][<MAP>]
//	NAME[[COUNT]]{FIELD...}
//
// The first error stays in err.
type fieldParser struct {
	rest string
	maps map[string]*schema.Values
	err  error
}

func (p *fieldParser) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf(format, args...)
	}
}

// list reads fields. around has the fields before the structure that holds them, in the lists around
// it, innermost last.
func (p *fieldParser) list(around [][]schema.Field) (list []schema.Field) {
	var names []string
	for p.err == nil && p.rest != "" && p.rest[0] != '}' {
		name := blanks(p.until(":[{ "))
		if name == "" {
			p.fail("a field without a name: %q", p.rest)
		}
		names = append(names, name)
		f := schema.Field{Name: schema.ColumnNames(names)[len(list)]}
		p.field(&f, name, append(around[:len(around):len(around)], list))
		list = append(list, f)
		if !p.skip(" ") {
			break
		}
	}
	return list
}

// field reads a field behind its name. before has the fields before it, in its list last.
func (p *fieldParser) field(f *schema.Field, name string, before [][]schema.Field) {
	var in, out string
	if p.skip(":") {
		in, out = p.types()
	}
	if p.skip("[") {
		if p.skip("?") {
			f.Unstated |= schema.CountUnstated
		} else {
			p.amount(&f.Count, &f.CountField, before)
		}
		p.close("]")
	}
	if in == "" {
		p.structure(f, name, before)
		return
	}
	unstated := false
	if p.skip("(") {
		if unstated = p.skip("?"); unstated {
			f.Sizes = p.sizes()
		} else {
			p.amount(&f.Length, &f.LengthField, before)
		}
		p.close(")")
	}
	inType, known := tdh.ParseInType(in)
	outType, shown := tdh.Default, true
	if out != "" {
		outType, shown = tdh.ParseOutType(out)
	}
	if !known || !shown {
		p.fail("%s: no types are called %q, %q", name, in, out)
		return
	}
	if err := tdh.Apply(f, inType, outType); err != nil {
		p.fail("%s: %w", name, err)
	}
	if unstated != (f.Unstated&schema.LengthUnstated != 0) {
		p.fail("%s: only and every binary value has a length, or (?)", name)
	}
	var more []string
	if p.skip("<") {
		word := p.until(">")
		if f.Map = p.maps[word]; f.Map == nil || !f.Kind.IsInteger() {
			p.fail("%s: no map %s of integers", name, word)
			return
		}
		more = append(more, "map "+f.Map.Name)
		p.close(">")
	}
	if f.Unstated != 0 {
		more = append(more, f.Unstated.String())
	}
	tdh.Declare(f, name, inType, outType, more...)
}

// types reads types: the name of a kind, which stands for both, or of an in-type, and an out-type.
// "?" says that the out-type is not stated, but is that of all fields of this name.
func (p *fieldParser) types() (in, out string) {
	in = p.until("/?[(< }")
	if kind, ok := schema.ParseKind(in); ok {
		in, out = (&schema.Field{Kind: kind}).SourceTypes()
	}
	if p.skip("/") {
		out = p.until("?[(< }")
	}
	p.skip("?")
	return in, out
}

// structure reads the members of a structure. "?" says that no source states them, and they are those
// of structures of this name elsewhere; one without members is read as bytes.
func (p *fieldParser) structure(f *schema.Field, name string, before [][]schema.Field) {
	if !p.skip("{") {
		p.fail("%s has no type and no members", name)
	}
	if p.skip("?") {
		f.Unstated |= schema.MembersUnstated
	}
	f.Struct = p.list(before)
	p.close("}")
	if f.Struct == nil {
		f.Kind, f.Count = schema.Bytes, 0
		if f.Unstated&schema.MembersUnstated == 0 {
			p.fail("the structure %s has no members", name)
		}
	}
	var more []string
	if f.Unstated != 0 {
		more = append(more, f.Unstated.String())
	}
	tdh.DeclareStruct(f, name, more...)
}

// amount reads a count or length: a number, or the name of the nearest earlier field with it.
func (p *fieldParser) amount(constant *int, column *string, before [][]schema.Field) {
	word := blanks(p.until("])"))
	if n, err := strconv.ParseUint(word, 10, 31); err == nil {
		*constant = int(n)
		return
	}
	for _, list := range slices.Backward(before) {
		for i := range slices.Backward(list) {
			if f := &list[i]; f.Original == word {
				if *column = f.Name; !definition.IsNumber(f) {
					p.fail("the count or length %s is no number", word)
				}
				return
			}
		}
	}
	p.fail("the count or length %s is no field before it", word)
}

// sizes reads the sizes that an unstated length may have; nil means any.
func (p *fieldParser) sizes() (list []int) {
	if text := p.until(")"); text != "" {
		for word := range strings.SplitSeq(text, ",") {
			if list = append(list, number(word)); list[len(list)-1] <= 0 {
				p.fail("%q is no size", word)
			}
		}
	}
	return list
}

// until returns the text before the first of signs.
func (p *fieldParser) until(signs string) string {
	n := strings.IndexAny(p.rest, signs)
	if n < 0 {
		n = len(p.rest)
	}
	word := p.rest[:n]
	p.rest = p.rest[n:]
	return word
}

func (p *fieldParser) skip(sign string) (found bool) {
	p.rest, found = strings.CutPrefix(p.rest, sign)
	return found
}

func (p *fieldParser) close(sign string) {
	if !p.skip(sign) {
		p.fail("%s is missing before %q", sign, p.rest)
	}
}
