package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/lake/views"
)

// TestViewsExist checks that the views which the package names exist, with the columns that it names.
func TestViewsExist(t *testing.T) {
	check := func(name, column string) {
		v := views.BuiltIn().Lookup(name)
		if v == nil {
			t.Errorf("there is no view %s", name)
			return
		}
		for _, c := range v.Columns {
			if column == "" || c.Name == column {
				return
			}
		}
		t.Errorf("view %s has no column %s", name, column)
	}
	for _, f := range firstViews {
		check(f.name, f.by)
	}
	for _, f := range comparedViews {
		words := strings.FieldsFunc(f.sql, func(r rune) bool { return strings.ContainsRune(" ()\n,", r) })
		for _, word := range words {
			if strings.HasSuffix(word, "_ns") {
				check(f.view, word)
			}
		}
	}
	for _, name := range leftOut {
		if !slices.Contains([]string{foundView, "search", "events"}, name) {
			check(name, "")
		}
	}
}
