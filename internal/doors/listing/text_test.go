package listing

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestNarrowProvider checks that the events of a provider fit a terminal of 80 columns, and that a wide
// page has their level.
func TestNarrowProvider(t *testing.T) {
	p := &Shown{Provider: Provider{Name: "P", GUID: "g"}, builds: []int{1, 2, 3}, List: []Event{
		{ID: 1, Version: 2, Level: "Informational", Name: "Start", Builds: []int{1, 3}},
		{ID: 10, AnyVersion: true, Name: "TieredCompilation/BackgroundJitStop", Builds: []int{1, 2}, Fields: make([]Field, 3)},
	}}
	for _, test := range []struct {
		width int
		want  string
	}{
		{80, `P
  g

  id  version  fields  builds of Windows  event
   1        2  0       1 3                Start
  10      any  3       1-2                TieredCompilation/BackgroundJitStop
`},
		{100, `P
  g

  id  version  level          event                                fields  builds of Windows
   1        2  Informational  Start                                0       1 3
  10      any                 TieredCompilation/BackgroundJitStop  3       1-2
`},
	} {
		var page strings.Builder
		p.Write(&page, Options{Width: test.width}, false)
		if diff := cmp.Diff(test.want, page.String()); diff != "" {
			t.Errorf("%d columns (-want +got):\n%s", test.width, diff)
		}
	}
}
