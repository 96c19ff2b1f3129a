package catalog

import (
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/schema"
)

// TestInputDescriptionsBound adds descriptions beyond the bound, in two orders: the same are left.
func TestInputDescriptionsBound(t *testing.T) {
	inputs := make(map[string]*traceDescriptions)
	var names []string
	for i := range 40 {
		names = append(names, string(rune('A'+i)))
		text := descriptionText{provider: schema.GUID{byte(i * 7 % 40)}, text: strings.Repeat("x", 1+i*i%11)}
		inputs[names[i]] = &traceDescriptions{texts: []descriptionText{text}}
	}
	var left [2]map[descriptionText]string
	for order := range left {
		d := NewInputDescriptions(func() error { return nil })
		d.most = 30
		for i := range names {
			if order == 1 {
				i = len(names) - 1 - i
			}
			d.add(names[i], inputs[names[i]])
		}
		if _, err := d.provider(schema.GUID{}); err != nil {
			t.Fatal(err)
		}
		left[order] = maps.Clone(d.from)
	}
	if diff := cmp.Diff(left[0], left[1], cmp.AllowUnexported(descriptionText{})); diff != "" || len(left[0]) == 0 || len(left[0]) == len(names) {
		t.Errorf("%d of %d are left, and in the other order: %s", len(left[0]), len(names), diff)
	}
}

// TestInputDescriptionsLeft leaves out a file that can be read only once, and nothing else.
func TestInputDescriptionsLeft(t *testing.T) {
	d := NewInputDescriptions(func() error { return nil })
	d.Leave("http://host/a")
	for input, want := range map[string]bool{"http://host/a": false, "http://host/a/in.etl": false, "http://host/ab.etl": true} {
		d.add(input, new(traceDescriptions))
		if d.Has(input) != want {
			t.Errorf("%s is added: %t", input, !want)
		}
	}
}
