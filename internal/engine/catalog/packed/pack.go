package packed

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"

	"github.com/etl2parquet/etl2parquet/decode/tdh"
	"github.com/etl2parquet/etl2parquet/schema"
)

// block holds the packed events of a provider. Its parts follow each other in this order, each
// after its number of elements. A reference to a text, map or list is its number from 1, or 0 for
// none.
type block struct {
	texts  numbered[string]
	maps   numbered[string] // packed value maps, by their bytes
	lists  numbered[string] // packed lists of fields, by their bytes
	events []byte
	count  int
	builds []int // of the file
}

// numbered numbers values from 1 in the order of first appearance.
type numbered[T comparable] struct {
	at   map[T]int
	list []T
}

func (n *numbered[T]) number(v T) uint64 {
	if at, ok := n.at[v]; ok {
		return uint64(at)
	}
	if n.at == nil {
		n.at = make(map[T]int)
	}
	n.list = append(n.list, v)
	n.at[v] = len(n.list)
	return uint64(len(n.list))
}

// text returns the number of a text, 0 for "".
func (b *block) text(s string) uint64 {
	if s == "" {
		return 0
	}
	return b.texts.number(s)
}

// bytes returns the packed block.
func (b *block) bytes() []byte {
	out := binary.AppendUvarint(nil, uint64(len(b.texts.list)))
	for _, s := range b.texts.list {
		out = appendText(out, s)
	}
	for _, parts := range [][]string{b.maps.list, b.lists.list} {
		out = binary.AppendUvarint(out, uint64(len(parts)))
		for _, part := range parts {
			out = append(out, part...)
		}
	}
	out = binary.AppendUvarint(out, uint64(b.count))
	return append(out, b.events...)
}

func appendText(out []byte, s string) []byte {
	return append(binary.AppendUvarint(out, uint64(len(s))), s...)
}

func appendNumbers(out []byte, numbers ...uint64) []byte {
	for _, n := range numbers {
		out = binary.AppendUvarint(out, n)
	}
	return out
}

// add packs an event. provider is the default name of its class.
func (b *block) add(ev *Event, provider string) error {
	fields, err := b.fields(ev.Fields, nil)
	if err != nil {
		return fmt.Errorf("event %d version %d of %s: %w", ev.ID, ev.Version, provider, err)
	}
	list := uint64(0)
	if len(ev.Fields) > 0 {
		list = b.lists.number(string(fields))
	}
	flags := flag(ev.Classic, flagClassic) | flag(ev.AnyVersion, flagAnyVersion) | flag(ev.Natural, flagNatural) |
		flag(ev.Message != nil, flagMessage) | flag(ev.Function+ev.SourceFile != "" || ev.SourceLine != 0, flagSource) |
		flag(ev.Class != provider || ev.Doc != "" || ev.Certainty != schema.Documented, flagNames)
	builds, err := b.buildMask(ev.Builds)
	if err != nil {
		return err
	}
	out := appendNumbers(b.events, flags, b.text(ev.Source.String()), uint64(ev.ID), uint64(ev.Version), builds,
		uint64(ev.Channel), b.text(ev.ChannelName), uint64(ev.Level), b.text(ev.LevelName),
		uint64(ev.Opcode), b.text(ev.OpcodeName), uint64(ev.Task), b.text(ev.TaskName),
		bits.Reverse64(ev.Keyword), uint64(len(ev.Keywords))) // the high bits are the channels'
	for _, keyword := range ev.Keywords {
		out = appendNumbers(out, b.text(keyword))
	}
	out = appendNumbers(out, b.text(ev.Name), list)
	if flags&flagNames != 0 {
		out = appendNumbers(out, b.text(ev.Class), b.text(ev.Doc), b.text(string(ev.Certainty)))
	}
	if flags&flagSource != 0 {
		out = appendNumbers(out, b.text(ev.Function), b.text(ev.SourceFile), uint64(ev.SourceLine))
	}
	if flags&flagMessage != 0 {
		out = appendNumbers(out, uint64(len(ev.Message)))
		for i := range ev.Message {
			part := &ev.Message[i]
			out = appendNumbers(out, b.text(part.Text), uint64(part.Field+1), b.text(part.Format))
		}
	}
	b.events = out
	b.count++
	return nil
}

func flag(set bool, bit uint64) uint64 {
	if set {
		return bit
	}
	return 0
}

// buildMask returns builds as a bit mask over the file's builds.
func (b *block) buildMask(builds []int) (mask uint64, err error) {
	for _, build := range builds {
		at := slices.Index(b.builds, build)
		if at < 0 {
			return 0, fmt.Errorf("build %d is not among the builds of the file", build)
		}
		mask |= 1 << at
	}
	return mask, nil
}

// fields packs a list of fields: first their names, then the rest of each. around are the fields
// before a structure, in the lists around it, innermost last.
func (b *block) fields(list []schema.Field, around [][]schema.Field) ([]byte, error) {
	names := derivedNames(list)
	out := binary.AppendUvarint(nil, uint64(len(list)))
	for i := range list {
		own := ""
		if list[i].Name != names[i] {
			own = list[i].Name
		}
		out = appendNumbers(out, b.text(list[i].Original), b.text(own))
	}
	for i := range list {
		var err error
		if out, err = b.field(out, &list[i], append(slices.Clone(around), list[:i])); err != nil {
			return nil, fmt.Errorf("field %s: %w", list[i].Name, err)
		}
	}
	return out, nil
}

// derivedNames returns the default column names for the original names of fields.
func derivedNames(list []schema.Field) []string {
	originals := make([]string, len(list))
	for i := range list {
		originals[i] = list[i].Original
	}
	return schema.ColumnNames(originals)
}

// derivedDoc returns the default documentation of a field, from its name and types.
func derivedDoc(f *schema.Field) string {
	var more []string
	if f.Map != nil {
		more = []string{"map " + f.Map.Name}
	}
	if f.Unstated != 0 {
		more = append(more, f.Unstated.String())
	}
	var own schema.Field
	in, known := tdh.ParseInType(f.InType)
	switch {
	case f.Struct != nil, f.IsOpaque():
		tdh.DeclareStruct(&own, f.Original, more...)
	case known:
		out, _ := tdh.ParseOutType(f.OutType)
		tdh.Declare(&own, f.Original, in, out, more...)
	}
	return own.Doc
}

// field packs a field. before has the fields before it: of its own list last, of the lists around
// it first.
func (b *block) field(out []byte, f *schema.Field, before [][]schema.Field) ([]byte, error) {
	flags := flag(f.Doc != derivedDoc(f), fieldDoc) | flag(f.Hex, fieldHex) | flag(f.Optional, fieldOptional) |
		flag(f.CountPrefix, fieldCountPrefix) | flag(f.Length != 0, fieldLength) | flag(f.LengthField != "", fieldLengthOf) |
		flag(f.LengthPrefix != schema.NoPrefix, fieldLengthPrefix) | flag(f.Count != 0, fieldCount) | flag(f.CountField != "", fieldCountOf) |
		flag(f.Struct != nil, fieldStruct) | flag(f.Map != nil, fieldMap) | flag(f.Unit != "", fieldUnit) | flag(f.Values != "", fieldValues) |
		flag(f.InType+f.OutType != "", fieldTypes) | flag(f.Unstated != 0, fieldUnstated) | flag(f.Sizes != nil, fieldSizes) |
		flag(f.Aligned, fieldAligned)
	if f.Since != 0 || f.Before != 0 || f.Parts != nil {
		return nil, fmt.Errorf("versions and parts cannot be packed")
	}
	out = appendNumbers(out, flags)
	if f.Struct == nil {
		out = appendNumbers(out, b.text(f.Kind.String()))
	}
	if flags&fieldTypes != 0 {
		out = appendNumbers(out, b.text(f.InType), b.text(f.OutType))
	}
	for _, text := range []struct {
		flag uint64
		text string
	}{{fieldDoc, f.Doc}, {fieldUnit, string(f.Unit)}, {fieldValues, f.Values}} {
		if flags&text.flag != 0 {
			out = appendNumbers(out, b.text(text.text))
		}
	}
	if flags&fieldUnstated != 0 {
		out = appendNumbers(out, uint64(f.Unstated))
	}
	if flags&fieldSizes != 0 {
		out = appendNumbers(out, uint64(len(f.Sizes)))
		for _, size := range f.Sizes {
			out = appendNumbers(out, uint64(size))
		}
	}
	if flags&fieldLength != 0 {
		out = appendNumbers(out, uint64(f.Length+1)) // Rest is -1
	}
	if flags&fieldCount != 0 {
		out = appendNumbers(out, uint64(f.Count+1))
	}
	if flags&fieldLengthPrefix != 0 {
		out = appendNumbers(out, uint64(f.LengthPrefix))
	}
	for _, name := range []string{f.LengthField, f.CountField} {
		if name == "" {
			continue
		}
		up, index, ok := findField(name, before)
		if !ok {
			return nil, fmt.Errorf("%s is no field before it", name)
		}
		out = appendNumbers(out, uint64(up), uint64(index))
	}
	if f.Map != nil {
		out = appendNumbers(out, b.valueMap(f.Map))
	}
	if f.Struct != nil {
		members, err := b.fields(f.Struct, before)
		if err != nil {
			return nil, err
		}
		out = append(out, members...)
	}
	return out, nil
}

// findField finds the nearest field with a name: the number of lists to leave and the index there.
func findField(name string, before [][]schema.Field) (up, index int, ok bool) {
	for at, list := range slices.Backward(before) {
		if i := slices.IndexFunc(list, func(f schema.Field) bool { return f.Name == name }); i >= 0 {
			return len(before) - 1 - at, i, true
		}
	}
	return 0, 0, false
}

// valueMap returns the number of a map.
func (b *block) valueMap(v *schema.Values) uint64 {
	out := appendNumbers(nil, b.text(v.Name), flag(v.Flags, 1), uint64(len(v.Names)))
	last := uint64(0)
	for _, n := range v.Names {
		out = appendNumbers(out, n.Value-last, b.text(n.Name)) // they are in order
		last = n.Value
	}
	return b.maps.number(string(out))
}

// sortEvents sorts events by kind, id and version, and the forms of one event by their newest
// build, the newest first. The sort is stable.
func sortEvents(events []Event) {
	newest := func(e *Event) int {
		if len(e.Builds) == 0 {
			return 0
		}
		return slices.Max(e.Builds)
	}
	slices.SortStableFunc(events, func(a, b Event) int {
		return cmp.Or(int(flag(a.Classic, 1))-int(flag(b.Classic, 1)), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Version, b.Version),
			int(flag(a.AnyVersion, 1))-int(flag(b.AnyVersion, 1)), cmp.Compare(newest(&b), newest(&a)))
	})
}
