package schema

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

const kernelTablesGolden = "testdata/kernel_tables.golden"

// TestKernelTablesUnchanged compares every kernel table with a golden. Literals share lists of
// fields, so a change of one can change others by accident.
//
// The first line has the common columns, except the payload, with which each table begins. Each
// other line has a table with its own columns, as name and type, and after | a digest of what a
// line cannot show: the docs and encodings of the columns, and the literals. A line whose digest
// alone has changed has the same columns as before.
func TestKernelTablesUnchanged(t *testing.T) {
	list := func(columns []Column) string {
		texts := make([]string, len(columns))
		for i := range columns {
			texts[i] = columns[i].Name + " " + columns[i].TypeName()
		}
		return strings.Join(texts, ", ")
	}
	var got bytes.Buffer
	common := CommonColumns()
	common = common[:len(common)-1] // the payload is only in the header tables
	fmt.Fprintf(&got, "common: %s\n", list(common))
	for _, table := range KernelCatalog().Tables() {
		digest := sha256.New()
		for _, e := range table.Literals() {
			fmt.Fprintf(digest, "%s %s %q %q %s %v %d %#x %t %d %d %t %q %+v %q\n", e.Class, e.Name, e.Doc, e.Ref, e.Certainty,
				e.GUID, e.Type, e.Hook, e.HasHook, e.Since, e.Before, e.Natural, e.EnabledBy, e.Owner, e.Files)
			for i := range e.Fields {
				fmt.Fprintf(digest, "  %+v\n", e.Fields[i])
			}
		}
		columns := table.Table.Columns
		if len(columns) < len(common) || list(columns[:len(common)]) != list(common) {
			t.Fatalf("%s does not begin with the common columns", table.Table.Name)
		}
		columns = columns[len(common):]
		for i := range columns {
			c := &columns[i]
			fmt.Fprintf(digest, "%s %s %t %d %q\n", c.Name, c.TypeName(), c.Nullable, c.Encoding, c.Doc)
		}
		fmt.Fprintf(&got, "%s: %s | %x\n", table.Table.Name, list(columns), digest.Sum(nil)[:8])
	}
	testenv.Golden(t, kernelTablesGolden, got.String())
}

// TestEventClass checks that a class completes its literals.
func TestEventClass(t *testing.T) {
	ofKernel := eventClass{ref: "a page", certainty: Documented, enabledBy: "FLAG", natural: true, events: []Event{
		{Name: "CSwitch", Type: 0x24},
		{Name: "Set-Name of", Type: 0x48, Ref: "a header", Certainty: Uncertain, Since: 2, Before: 3},
		{Name: "Start", Table: "Start_0540", Type: 0x0a, Hook: HookImageLoad},
	}}
	ofMerge := eventClass{events: []Event{{Name: "Metrics", Type: 35, Ref: "bytes", Certainty: Verified, EnabledBy: "FLAG", Natural: true}}}
	thread, winSat := classGUID("Thread"), classGUID("WinSat")
	for _, test := range []struct {
		name  string
		class *eventClass
		want  []Event
	}{
		{"Thread", &ofKernel, []Event{
			{Class: "Thread", Name: "CSwitch", Table: "CSwitch", GUID: thread, Type: 0x24, Hook: 0x0524, HasHook: true, Ref: "a page", Certainty: Documented, EnabledBy: "FLAG", Natural: true},
			{Class: "Thread", Name: "Set-Name of", Table: "Set_Name_of", GUID: thread, Type: 0x48, Hook: 0x0548, HasHook: true, Ref: "a header", Certainty: Uncertain, Since: 2, Before: 3, EnabledBy: "FLAG", Natural: true},
			{Class: "Thread", Name: "Start", Table: "Start_0540", GUID: thread, Type: 0x0a, Hook: HookImageLoad, HasHook: true, Ref: "a page", Certainty: Documented, EnabledBy: "FLAG", Natural: true},
		}},
		{"WinSat", &ofMerge, []Event{{Class: "WinSat", Name: "Metrics", Table: "Metrics", GUID: winSat, Type: 35, Ref: "bytes", Certainty: Verified, EnabledBy: "FLAG", Natural: true}}},
	} {
		if diff := cmp.Diff(test.want, test.class.list(test.name)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", test.name, diff)
		}
		if test.class.events[0].Class != "" {
			t.Errorf("%s: the literals were changed", test.name)
		}
	}
}

// TestLiteralsSayOnlyTheirOwn checks that literals do not repeat values of their class, and that
// the class has the values that all its literals share.
func TestLiteralsSayOnlyTheirOwn(t *testing.T) {
	for _, of := range eventClasses {
		c, name := of.literals(), of.name
		class, _, _ := findClass(name)
		for i := range c.events {
			e := &c.events[i]
			if e.Class != "" || !e.GUID.IsZero() || e.HasHook || e.Hook != 0 && uint8(e.Hook>>8) == class.Group || e.Table == defaultTable(e.Name) {
				t.Errorf("%s/%s sets a value that follows from its class", name, e.Name)
			}
			if e.Ref != "" && e.Ref == c.ref || e.Certainty != "" && e.Certainty == c.certainty || e.EnabledBy != "" && c.enabledBy != "" || e.Natural && c.natural {
				t.Errorf("%s/%s repeats a value of its class", name, e.Name)
			}
		}
		all := func(same func(a, b *Event) bool) bool {
			return len(c.events) > 1 && !slices.ContainsFunc(c.events, func(e Event) bool { return !same(&c.events[0], &e) })
		}
		if all(func(a, b *Event) bool { return a.Ref != "" && a.Ref == b.Ref }) ||
			all(func(a, b *Event) bool { return a.Certainty != "" && a.Certainty == b.Certainty }) ||
			all(func(a, b *Event) bool { return a.EnabledBy != "" && a.EnabledBy == b.EnabledBy }) ||
			all(func(a, b *Event) bool { return a.Natural && b.Natural }) {
			t.Errorf("%s: all events share a Ref, Certainty, EnabledBy or Natural: move it to the class", name)
		}
	}
}

// TestFieldListsAreShared checks that events with equal lists of fields share a variable.
func TestFieldListsAreShared(t *testing.T) {
	first := make(map[string]*Event)
	for _, e := range slices.Concat(Kernel()...) {
		if len(e.Fields) < 2 {
			continue
		}
		text := fmt.Sprintf("%+v", e.Fields)
		other := first[text]
		if other == nil {
			first[text] = &e
		} else if &other.Fields[0] != &e.Fields[0] {
			t.Errorf("%s/%s and %s/%s have copies of the same list of fields", other.Class, other.Name, e.Class, e.Name)
		}
	}
}
