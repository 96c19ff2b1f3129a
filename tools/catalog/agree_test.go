package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/decode/eventinfo"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/corrections"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/packed"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/windows"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestManifests checks that each event of the shared manifests has a form in the catalogue with the
// same facts about all fields, except corrections.
func TestManifests(t *testing.T) {
	manifests, err := readManifests(testenv.Shared(t, "manifests"))
	if err != nil {
		t.Fatal(err)
	}
	events, differ := 0, 0
	for i := range manifests {
		m := &manifests[i]
		for _, ev := range m.Events {
			events++
			if text, ok := hasForm(t, m.GUID, ev.ID, ev.Version, ev.Fields); !ok {
				differ++
				t.Errorf("%s %d version %d: %s\n%s", m.Name, ev.ID, ev.Version, fieldTexts(ev.Fields), text)
			}
		}
	}
	t.Logf("SCORE %d events of manifests, %d differ", events, differ)
	if events < 900 {
		t.Errorf("%d events", events)
	}
}

// TestTemplates checks that each event of templates.txt has a form in the catalogue with the same
// facts about all fields, except corrections.
func TestTemplates(t *testing.T) {
	text := testenv.ReadFile(t, filepath.Join(testenv.Shared(t, "catalog"), "templates.txt"))
	var provider schema.GUID
	fields := make(map[string][]sourceField) // by provider, id and version
	events, differ := 0, 0
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		switch {
		case line == "", line[0] == ';':
			continue
		case line[0] == '#':
			words := strings.Fields(line)
			var err error
			if provider, err = schema.ParseGUID(words[2]); err != nil {
				t.Fatal(err)
			}
			continue
		}
		var id uint16
		var version uint8
		if _, err := fmt.Sscanf(line, "%d %d", &id, &version); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		list := parseTemplate(t, provider, line, fields)
		fields[fmt.Sprintf("%s %d.%d", provider, id, version)] = list
		if p, err := windows.Catalog().Provider(provider); err == nil && p != nil {
			list = slices.Clone(list)
			stateSeen(p.Name, id, list)
		}
		want, err := fieldsOf(&sourceForm{}, list, nil)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		events++
		if text, ok := hasForm(t, provider, id, version, want); !ok {
			differ++
			t.Errorf("%s %s\nhas the forms\n%s", provider, line, text)
		}
	}
	t.Logf("SCORE %d events of templates, %d differ", events, differ)
	if events < 1_698 {
		t.Errorf("%d events", events)
	}
}

// parseTemplate returns the fields of a line.
func parseTemplate(t *testing.T, provider schema.GUID, line string, others map[string][]sourceField) []sourceField {
	t.Helper()
	words := strings.SplitN(line, " ", 3)
	if len(words) < 3 {
		return nil
	}
	if other, same := strings.CutPrefix(words[2], "="); same {
		list, known := others[provider.String()+" "+other]
		if !known {
			t.Fatalf("%s: no such event before it", line)
		}
		return list
	}
	p := templateParser{words[2]}
	list := p.fields()
	if p.rest != "" {
		t.Fatalf("%s: %q is left", line, p.rest)
	}
	return list
}

// templateParser reads fields: Name:InType/OutType[count](length)<map>, and structures
// Name[count]{fields}.
type templateParser struct{ rest string }

func (p *templateParser) fields() (list []sourceField) {
	for p.rest != "" && p.rest[0] != '}' {
		f := sourceField{Name: strings.ReplaceAll(p.until(" :[{}"), "~", "")} // names may have brackets
		if p.skip(":") {
			f.Type = p.word()
			if p.skip("/") {
				f.Out = p.word()
			}
		}
		if p.skip("[") {
			f.Count = p.amount()
			p.skip("]")
		}
		if p.skip("(") {
			f.Length = p.amount()
			p.skip(")")
		}
		if p.skip("<") {
			p.word()
			p.skip(">")
		}
		if p.skip("{") {
			f.Members = p.fields()
			p.skip("}")
		}
		list = append(list, f)
		if !p.skip(" ") {
			return list
		}
	}
	return list
}

func (p *templateParser) skip(sign string) (found bool) {
	p.rest, found = strings.CutPrefix(p.rest, sign)
	return found
}

func (p *templateParser) word() string { return p.until(" :/[](){}<>") }

func (p *templateParser) until(signs string) string {
	n := strings.IndexAny(p.rest, signs)
	if n < 0 {
		n = len(p.rest)
	}
	word := p.rest[:n]
	p.rest = p.rest[n:]
	return word
}

func (p *templateParser) amount() (a amount) {
	word := strings.ReplaceAll(p.word(), "~", "")
	if a.UnmarshalJSON(fmt.Appendf(nil, "%q", word)) != nil {
		a.field = word
	}
	return a
}

// hasForm reports whether the catalogue has a form of an event with fields, and lists its forms.
func hasForm(t *testing.T, provider schema.GUID, id uint16, version uint8, fields []schema.Field) (forms string, ok bool) {
	t.Helper()
	p, err := windows.Catalog().Provider(provider)
	if err != nil || p == nil {
		t.Fatal(provider, p, err)
	}
	want := fieldTexts(corrections.Apply(provider, id, fields))
	ok = slices.ContainsFunc(p.Events, func(ev packed.Event) bool {
		if ev.ID != id || ev.Version != version {
			return false
		}
		text := fieldTexts(ev.Fields)
		forms += text + "\n"
		return strings.EqualFold(text, want) // NTSTATUS and NTStatus
	})
	return forms, ok
}

// fieldTexts describes fields, with everything that decides about their bytes and values.
func fieldTexts(list []schema.Field) string {
	var words []string
	for i := range list {
		f := &list[i]
		word := fmt.Sprintf("%s:%s/%s/%v[%d%s](%d%s)", wordOf(f.Original), f.InType, f.OutType, f.Unstated, f.Count, f.CountField, f.Length, f.LengthField)
		if f.Struct != nil {
			word += "{" + fieldTexts(f.Struct) + "}"
		} else {
			word += f.Kind.String()
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

// wordOf returns a name without the characters that the builds' lists have lost.
func wordOf(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, name)
}

// TestEventInfo checks that, for each event that a real trace describes itself, a form of the catalogue
// with the same fields has the same facts about them, as far as it states any.
func TestEventInfo(t *testing.T) {
	seen := make(map[string]bool)
	events, fields, unknown, differ := 0, 0, 0, 0
	decodetest.EachEvent(t, func(ev *decode.Event) {
		record := recordOf(ev)
		if record == nil || record.Classic || seen[fmt.Sprint(record.GUID, record.ID, record.Version)] {
			return
		}
		seen[fmt.Sprint(record.GUID, record.ID, record.Version)] = true
		p, err := windows.Catalog().Provider(record.GUID)
		if err != nil {
			t.Fatal(err)
		}
		own := corrections.Apply(record.GUID, record.ID, record.Fields)
		var forms []string
		for i := 0; p != nil && i < len(p.Events); i++ {
			form := &p.Events[i]
			if form.ID != record.ID || form.Version != record.Version || !sameNames(form.Fields, own) {
				continue
			}
			text := differences(form.Fields, own)
			if forms = append(forms, text); text == "" {
				break
			}
		}
		switch {
		case forms == nil:
			t.Logf("no form: %s %d version %d: %s", record.Class, record.ID, record.Version, fieldTexts(own))
			unknown++
			return
		case forms[len(forms)-1] != "":
			differ++
			t.Errorf("%s %d version %d: %s", record.Class, record.ID, record.Version, forms[0])
		}
		events++
		fields += len(own)
	}, func(string) {})
	t.Logf("SCORE %d fields of %d events, %d events differ; %d events are in no form with these fields", fields, events, differ, unknown)
	if fields < 400 {
		t.Errorf("%d fields", fields)
	}
}

// recordOf returns the record in an event of the merge tools, or nil.
func recordOf(ev *decode.Event) *eventinfo.Record {
	if ev.Family != decode.FamilyEventTrace {
		return nil
	}
	h := ev.EventTrace()
	kind, _, _ := h.Class()
	if id, ok := h.GUID(); !ok || id != schema.EventMetadataClass || kind != schema.EventInfoType {
		return nil
	}
	record, _ := eventinfo.Parse(ev.Payload())
	return record
}

func sameNames(a, b []schema.Field) bool {
	return slices.EqualFunc(a, b, func(a, b schema.Field) bool {
		return strings.EqualFold(wordOf(a.Original), wordOf(b.Original))
	})
}

// differences lists how the fields of a form differ from those of a trace's own description.
func differences(form, own []schema.Field) string {
	var list []string
	for i := range form {
		f, o := &form[i], &own[i]
		switch {
		case f.Unstated != 0:
		case f.Struct != nil && o.Struct != nil && sameNames(f.Struct, o.Struct):
			if text := differences(f.Struct, o.Struct); text != "" {
				list = append(list, f.Name+"{"+text+"}")
			}
		default:
			if a, b := fieldTexts(form[i:i+1]), fieldTexts(own[i:i+1]); a != b {
				list = append(list, a+" is "+b)
			}
		}
	}
	return strings.Join(list, ", ")
}
