package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/decode/eventinfo"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/corrections"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/windows"
	"github.com/etl2parquet/etl2parquet/schema"
)

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
