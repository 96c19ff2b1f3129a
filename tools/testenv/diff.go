package testenv

import (
	"reflect"

	"github.com/google/go-cmp/cmp"
)

// Diff is cmp.Diff for large values: it looks for the difference only if there is one. Equal values,
// which a test that passes has, take a tenth of the time so.
func Diff(want, got any, o ...cmp.Option) string {
	if reflect.DeepEqual(want, got) {
		return ""
	}
	return cmp.Diff(want, got, o...)
}
