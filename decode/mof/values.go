package mof

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/etl2parquet/etl2parquet/decode/definition"
	"github.com/etl2parquet/etl2parquet/schema"
)

// nameValues sets the names of a number's values or bits.
func nameValues(p *property, f *schema.Field) error {
	if !f.Kind.IsInteger() {
		return nil
	}
	width, _ := f.Kind.Width(0)
	v := &schema.Values{Name: p.name}
	var err error
	switch {
	case find(p.qualifiers, "bitmap") != nil, find(p.qualifiers, "bitvalues") != nil:
		v.Flags = true
		err = bitNames(p, v, 8*width)
	default:
		v.Flags = strings.EqualFold(valueOf(p.qualifiers, "valuetype"), "flag")
		err = valueNames(p, v, 8*width)
	}
	slices.SortStableFunc(v.Names, func(a, b schema.ValueName) int { return cmp.Compare(a.Value, b.Value) })
	v.Names = slices.CompactFunc(v.Names, func(a, b schema.ValueName) bool { return a.Value == b.Value })
	if len(v.Names) > 0 {
		f.Map = v
	}
	return err
}

// valueNames reads Values, or else DefineValues: the names of the numbers in
// ValueMap or, without it, of 0, 1, 2 and so on.
func valueNames(p *property, v *schema.Values, bits int) error {
	names := cmp.Or(find(p.qualifiers, "values"), find(p.qualifiers, "definevalues"))
	if names == nil {
		return nil
	}
	numbers := find(p.qualifiers, "valuemap")
	for i, name := range names.values {
		n := uint64(i)
		if numbers != nil {
			if i >= len(numbers.values) {
				return fmt.Errorf("ValueMap has %d numbers for %d names", len(numbers.values), len(names.values))
			}
			var err error
			if n, err = value(numbers.values[i]); err != nil {
				return fmt.Errorf("ValueMap %s: %w", quote(numbers.values[i]), err)
			}
		}
		if name != "" {
			v.Names = append(v.Names, schema.ValueName{Value: n & (1<<bits - 1), Name: definition.Cut(name, maxName)})
		}
	}
	return nil
}

// bitNames reads BitValues: the names of the bits in BitMap or, without it, of bits
// 0, 1, 2 and so on.
func bitNames(p *property, v *schema.Values, bits int) error {
	names, places := find(p.qualifiers, "bitvalues"), find(p.qualifiers, "bitmap")
	if names == nil {
		return errors.New("BitMap without BitValues")
	}
	for i, name := range names.values {
		place := uint64(i)
		if places != nil {
			if i >= len(places.values) {
				return fmt.Errorf("BitMap has %d places for %d names", len(places.values), len(names.values))
			}
			var err error
			if place, err = value(places.values[i]); err != nil {
				return fmt.Errorf("BitMap %s: %w", quote(places.values[i]), err)
			}
		}
		if place >= uint64(bits) {
			return fmt.Errorf("BitMap: there is no bit %d in %d bits", place, bits)
		}
		if name != "" {
			v.Names = append(v.Names, schema.ValueName{Value: 1 << place, Name: definition.Cut(name, maxName)})
		}
	}
	return nil
}

// value parses a number that may be negative.
func value(text string) (uint64, error) {
	n, err := number(text, 64)
	if err != nil {
		if signed, other := strconv.ParseInt(strings.TrimSpace(text), 10, 64); other == nil {
			return uint64(signed), nil
		}
	}
	return n, err
}
