package rows

import (
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
)

// TestMarks checks which events of the sample a level and keywords select, of each family of header.
func TestMarks(t *testing.T) {
	x := indextest.File(t, "../../../testdata/sample.etl")
	count := func(s selection.Selection) (n int64, families uint8) {
		f := filterOf(t, x, &s)
		for i := range x.Types {
			if f.kinds[i] {
				families |= 1 << x.Types[i].Family
			}
		}
		return int64(len(f.kinds)), families
	}
	const event, classic, message = 1 << decode.FamilyEvent, 1<<decode.FamilyEventTrace | 1<<decode.FamilyInstance, 1 << decode.FamilyMessage
	for name, test := range map[string]struct {
		s    selection.Selection
		not  uint8 // families of which no kind is selected
		want uint8 // families of which a kind is selected
	}{
		"a level":          {selection.Selection{Selection: facts.Selection{Level: "verbose"}}, 1<<decode.FamilySystem | 1<<decode.FamilyPerfInfo, event},
		"level 0":          {selection.Selection{Selection: facts.Selection{Level: "0"}}, 1 << decode.FamilySystem, 0},
		"a mask":           {selection.Selection{Selection: facts.Selection{Keywords: []string{"0xffffffffffffffff"}}}, 1<<decode.FamilySystem | classic | message, event},
		"a name that none": {selection.Selection{Selection: facts.Selection{Keywords: []string{"nothing has it"}}}, event | classic | message | 1<<decode.FamilySystem, 0},
	} {
		if _, got := count(test.s); got&test.not != 0 || got&test.want != test.want {
			t.Errorf("%s: families %08b", name, got)
		}
	}
}

// TestMarkedEvents checks the decision about single events.
func TestMarkedEvents(t *testing.T) {
	m := &marks{level: 3, bits: 0x10, keywords: true, kinds: []markedKind{{level: noLevel}, {named: true, level: 2}, {named: true, level: 4}}}
	for place, want := range []bool{false, true, false} {
		if got := m.keep(int32(place), &decode.Event{Family: decode.FamilyMessage}); got != want {
			t.Errorf("kind %d: %v", place, got)
		}
	}
	if m.keep(-1, &decode.Event{Family: decode.FamilySystem}) {
		t.Error("an event without level and keyword is selected")
	}
	m = &marks{level: 3, kinds: m.kinds}
	if m.mayKeep(0, &catalog.EventType{Key: catalog.Key{Family: decode.FamilySystem}}) || !m.mayKeep(0, &catalog.EventType{Key: catalog.Key{Family: decode.FamilyEvent}}) {
		t.Error("kinds of event are selected by other headers than theirs")
	}
}

// TestSameKeyword checks how names of keywords compare.
func TestSameKeyword(t *testing.T) {
	for names, want := range map[[2]string]bool{
		{"GC", "GCKeyword"}: true, {"gckeyword", "GC"}: true, {"GC", "GCHandle"}: false, {"Keyword", "Key"}: false, {"WINEVENT_KEYWORD_PROCESS", "winevent_keyword_process"}: true,
	} {
		if got := sameKeyword(names[0], names[1]); got != want {
			t.Errorf("%q: %v", names, got)
		}
	}
}
