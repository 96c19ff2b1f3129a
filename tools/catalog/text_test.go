package main

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/tdh"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/packed"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// notKept matches what a file says and the catalogue does not keep: comments, sources of an event, and
// that an out-type is likely.
var notKept = regexp.MustCompile(`(?m)^#.*\n|^(\d[^|\n]*?) from=\S+|\r$`)

// TestRoundTrip checks that the facts of each file, written as text again, give the file.
func TestRoundTrip(t *testing.T) {
	files := 0
	err := eachProvider("../../knowledge", func(path string, p *providerFile) {
		files++
		have := strings.Split(p.text(), "\n")
		for i, want := range strings.Split(notKept.ReplaceAllString(string(testenv.ReadFile(t, path)), "$1"), "\n") {
			if head, fields, ok := strings.Cut(want, " | "); ok {
				want = head + " | " + likely.ReplaceAllString(fields, "$1")
			}
			if i >= len(have) || have[i] != want {
				t.Errorf("%s:\n%s\nis also written\n%s", path, want, strings.Join(have[min(i, len(have)):min(i+1, len(have))], ""))
				return
			}
		}
	})
	if err != nil || files < 1_043 {
		t.Errorf("%d files: %v", files, err)
	}
}

// likely matches the type of a field whose out-type no source states.
var likely = regexp.MustCompile(`(:[A-Za-z0-9/]+)\?`)

// TestRefused checks that mistakes in a file are reported with its line.
func TestRefused(t *testing.T) {
	const begin = "provider 22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716 Some-Provider\nbuilds 7600 10240 28000\nkeyword 0x10 Reading\nmap Kinds\n  1 One\n"
	sources := map[string]bool{"7600": true, "10240": true, "28000": true, "templates": true}
	for _, good := range []string{
		"# comment",
		"1 v0 - - | Count:u16 Kind:u32<Kinds> Items[Count]{Size:u8 Bytes:bytes(Size)} Hash:bytes(?16,20) Unknown{?} Port:port? Some~Name:u8[?]",
		"1 v2 Read=3 Start +Reading level=- channel=Some~Name=16 name=Reads builds=7600,10240-28000 from=templates:4.0-5.0",
		"1 v0 - =192 builds=-",
	} {
		if err := parseText(t, begin+good, sources); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for _, bad := range []string{
		"provider 22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716 Second", "event 1", " 1 v0 - -", "builds 7600", "keyword 0x20 Reading", "keyword x Name", "map Kinds", "map More some",
		"  1 One", "map More\n  x One", "map More\n  1", "map More\n  2 Two\n  1 One", "1", "1 0 - -", "1 v256 - -", "65536 v0 - -", "1 v0 Read Start", "1 v0 Read=65536 -", "1 v0 - Strat",
		"1 v0 - - +Writing", "1 v0 - - level=Loud", "1 v0 - - channel=Some", "1 v0 - - builds=9200", "1 v0 - - builds=28000-7600", "1 v0 - - builds=28000,7600",
		"1 v0 - - from=nobody", "1 v0 - - keywords=Reading", "1 v0 - - | A", "1 v0 - - | A:u33", "1 v0 - - | A:u32/Nothing", "1 v0 - - | A:u32<Other>", "1 v0 - - | A:text16<Kinds>",
		"1 v0 - - | A:u8[]", "1 v0 - - | A:bytes()", "1 v0 - - | A:u8[B]", "1 v0 - - | B:text16 A:u8[B]", "1 v0 - - | A:u8[1", "1 v0 - - | A:bytes", "1 v0 - - | A:u32(?)", "1 v0 - - | A:bytes(?x)", "1 v0 - - | A{}",
		"1 v0 - - | A{B:u8", "1 v0 - - | A:u8}", "1 v0 - - | A:u8  B:u8", "1 v0 - - | :u8", "2 v0 - -\n1 v0 - -", "1 v1 - -\n1 v0 - -",
	} {
		err := parseText(t, begin+bad, sources)
		if line := fmt.Sprintf(".txt:%d: ", strings.Count(begin+bad, "\n")+1); err == nil || !strings.Contains(err.Error(), line) {
			t.Errorf("%s: %v, not with the line %s", bad, err, line)
		}
	}
	for _, file := range []string{"", "builds 7600", "provider", "provider x Name", "provider 22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716"} {
		if parseText(t, file, sources) == nil {
			t.Errorf("%q is a provider", file)
		}
	}
}

func parseText(t *testing.T, text string, sources map[string]bool) error {
	t.Helper()
	path := filepath.Join(t.TempDir(), "provider.txt")
	testenv.WriteFile(t, path, text)
	_, err := parseFile(path, sources)
	return err
}

// text returns the file of a provider, without what notKept and likely match.
func (p *providerFile) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "provider %s %s\n", p.GUID, p.Name)
	for _, name := range p.OtherNames {
		fmt.Fprintf(&b, "other %s\n", name)
	}
	if p.builds != nil {
		fmt.Fprintf(&b, "builds %s\n", strings.Trim(fmt.Sprint(p.builds), "[]"))
	}
	for _, name := range slices.SortedFunc(maps.Keys(p.keywords), func(a, b string) int {
		return cmp.Or(cmp.Compare(p.keywords[a], p.keywords[b]), cmp.Compare(a, b))
	}) {
		fmt.Fprintf(&b, "keyword 0x%X %s\n", p.keywords[name], name)
	}
	var lines []string
	for name, v := range p.maps {
		line, form := "map "+name, "\n  %d %s%s"
		if v.Flags {
			line, form = line+" bits", "\n  0x%X %s%s"
		}
		for _, value := range v.Names {
			name := strings.TrimRight(value.Name, " ")
			line += fmt.Sprintf(form, value.Value, name, tildes(value.Name[len(name):]))
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	for _, line := range lines {
		b.WriteString(line + "\n")
	}
	for i := range p.Events {
		b.WriteString(p.eventText(&p.Events[i]) + "\n")
	}
	return b.String()
}

func (p *providerFile) eventText(ev *packed.Event) string {
	opcode := numberedText(ev.Opcode, ev.OpcodeName)
	if ev.OpcodeName != "" && schema.OpcodeName(ev.Opcode) == ev.OpcodeName {
		opcode = ev.OpcodeName
	}
	words := []string{fmt.Sprint(ev.ID), fmt.Sprintf("v%d", ev.Version), numberedText(ev.Task, ev.TaskName), opcode}
	if ev.Keywords != nil {
		words = append(words, "+"+tildes(strings.Join(ev.Keywords, ",")))
	}
	add := func(key, value string, is bool) {
		if is {
			words = append(words, key+"="+tildes(value))
		}
	}
	add("level", cmp.Or(ev.LevelName, none), ev.Level != informational)
	add("channel", numberedText(ev.Channel, ev.ChannelName), ev.ChannelName != "")
	add("name", ev.Name, ev.Name != "")
	add("builds", p.buildsText(ev.Builds), !slices.Equal(ev.Builds, p.builds))
	if ev.Fields != nil {
		words = append(words, "|", p.fieldsText(ev.Fields, nil))
	}
	return strings.Join(words, " ")
}

func (p *providerFile) buildsText(builds []int) string {
	var parts []string
	for i := 0; i < len(builds); i++ {
		part, at := fmt.Sprint(builds[i]), slices.Index(p.builds, builds[i])
		last := i
		for at >= 0 && last+1 < len(builds) && slices.Index(p.builds, builds[last+1]) == at+last+1-i {
			last++
		}
		if last > i {
			part += fmt.Sprintf("-%d", builds[last])
		}
		i = last
		parts = append(parts, part)
	}
	return cmp.Or(strings.Join(parts, ","), none)
}

func numberedText[T uint8 | uint16](n T, name string) string {
	if n == 0 && name == "" {
		return none
	}
	return fmt.Sprintf("%s=%d", tildes(name), n)
}

func tildes(name string) string { return strings.ReplaceAll(name, " ", "~") }

func (p *providerFile) fieldsText(fields []schema.Field, around []schema.Field) string {
	var words []string
	for i := range fields {
		words = append(words, p.fieldText(&fields[i], append(slices.Clone(around), fields[:i]...)))
	}
	return strings.Join(words, " ")
}

// fieldText returns a field. before has the fields before it, the outermost first.
func (p *providerFile) fieldText(f *schema.Field, before []schema.Field) string {
	word := tildes(f.Original)
	isStructure := f.Struct != nil || f.IsOpaque()
	if !isStructure {
		word += ":" + typesText(f)
	}
	amount := func(constant int, column string, unstated schema.Unstated, possible string) string {
		for i := range slices.Backward(before) {
			if column != "" && before[i].Name == column {
				return tildes(before[i].Original)
			}
		}
		if f.Unstated&unstated != 0 {
			return "?" + possible
		}
		return strings.TrimLeft(fmt.Sprint(constant), "0")
	}
	if count := amount(f.Count, f.CountField, schema.CountUnstated, ""); count != "" {
		word += "[" + count + "]"
	}
	if isStructure {
		unstated := ""
		if f.Unstated&schema.MembersUnstated != 0 {
			unstated = "?"
		}
		return word + "{" + unstated + p.fieldsText(f.Struct, before) + "}"
	}
	if f.Kind == schema.MAC {
		return word + "(6)"
	}
	sizes := strings.ReplaceAll(strings.Trim(fmt.Sprint(f.Sizes), "[]"), " ", ",")
	if length := amount(f.Length, f.LengthField, schema.LengthUnstated, sizes); length != "" {
		word += "(" + length + ")"
	}
	for name, v := range p.maps {
		if v == f.Map {
			word += "<" + name + ">"
		}
	}
	return word
}

// typesText returns the types of a field: of a kind, if one has both or the in-type.
func typesText(f *schema.Field) string {
	local := func(name string) string { return name[strings.IndexByte(name, ':')+1:] }
	word := ""
	for kind := schema.U8; kind <= schema.WideU32; kind++ {
		switch in, out := (&schema.Field{Kind: kind}).SourceTypes(); {
		case in == f.InType && out == f.OutType:
			return kind.String()
		case in == f.InType && word == "":
			word = kind.String()
		}
	}
	if word == "" {
		word = local(f.InType)
	}
	if tdh.IsDefault(f) {
		return word
	}
	return word + "/" + local(f.OutType)
}
