package texts

import (
	"slices"
	"testing"

	"github.com/etl2parquet/etl2parquet/schema"
)

func TestTo(t *testing.T) {
	var names []string
	for _, t := range schema.Tables() {
		names = append(names, t.ViewName())
	}
	names = append(names, "CSwitch", "ReadyThread", "Read", "Road")
	for text, want := range map[string][]string{
		"event_headr": {"event_header"}, "Tracess": {"traces"}, "perfinfo_trace_hea": {"perfinfo_trace_header"}, "Cswich": {"CSwitch"},
		"readythred": {"ReadyThread"}, "Reed": {"Read"}, "R?ad": {"Read", "Road"}, "buffer": {"buffers"}, "zzz": nil, "": nil, "xylophone": nil,
	} {
		if got := Nearest(text, names); !slices.Equal(got, want) {
			t.Errorf("To(%q) = %q, want %q", text, got, want)
		}
	}
	if got := Nearest("zz", []string{""}); got != nil { // a provider without a name
		t.Errorf("nearest to zz is %q", got)
	}
	if got := Nearest("perfinfo", []string{"perfinfo_a_long_name", "no", "x_perfinfo_long_name", "x_perfinfo_long_name"}); len(got) != 2 {
		t.Errorf("names that contain the text: %q", got)
	}
}

func TestDistance(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "", 3}, {"", "ab", 2}, {"kitten", "sitting", 3}, {"same", "same", 0}} {
		if got := distance(test.a, test.b); got != test.want {
			t.Errorf("distance(%q, %q) = %d, want %d", test.a, test.b, got, test.want)
		}
	}
}
