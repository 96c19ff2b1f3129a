package wpp_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode/wpp"
)

func TestAppendAnnotation(t *testing.T) {
	const block = "01e9b841-7d67-315a-7b92-23b2033356de driver // SRC=a.c MJ= MN="
	for _, test := range []struct {
		name     string
		function string
		texts    []string
		want     string // "" for none
	}{
		{"nothing", "f", nil, ""},
		{"control", "f", []string{"TMC:", "5d9b1c33-8e8e-4a8c-9f0c-1f6f0f6d6f01", "Control"}, ""},
		{"message", "ns::f<int, a>", []string{"TMF:", block, `#typev  a_c1 10 "%0x %10!d!" //   LEVEL=ERROR`, "{", "x, ItemLong -- 10", "}"},
			block + "\n" + `#typev  a_c1 10 "%0x %10!d!" //   LEVEL=ERROR FUNC=ns::f<int, a>` + "\n{\nx, ItemLong -- 10\n}\n"},
		{"with its function", "f", []string{"TMF:", block, `#typev a_c1 10 "x" // FUNC=g`}, block + "\n" + `#typev a_c1 10 "x" // FUNC=g` + "\n"},
		{"without a function", "", []string{"TMF:", block, `#typev a_c1 10 "x" //`}, block + "\n" + `#typev a_c1 10 "x" //` + "\n"},
		{"without a comment", "f", []string{"TMF:", block, `#typev a_c1 10 "FUNC=x"`}, block + "\n" + `#typev a_c1 10 "FUNC=x" // FUNC=f` + "\n"},
		{"line feeds", "f", []string{"TMF:", block, "#type a_c1 10 \"x\ny\r\n\" // FUNC=f"}, block + "\n#type a_c1 10 \"x%ny%n\" // FUNC=f\n"},
		{"a broken line", "f", []string{"TMF:", "#typev "}, "#typev  // FUNC=f\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, ok := wpp.AppendAnnotation(nil, test.function, test.texts)
			if diff := cmp.Diff(test.want, string(got)); diff != "" || ok != (test.want != "") {
				t.Errorf("%t: %s", ok, diff)
			}
		})
	}
}
