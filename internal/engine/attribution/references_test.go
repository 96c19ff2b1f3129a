package attribution

import (
	"fmt"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
)

// TestReferences checks the ranges that the times of stack parts in a buffer make.
func TestReferences(t *testing.T) {
	const far = 100 * near
	for _, test := range []struct {
		name  string
		times []decode.Ticks
		want  string // in units of near, with a remainder in ticks
	}{
		{"one", []decode.Ticks{5 * near}, "5..5"},
		{"twice", []decode.Ticks{5 * near, 5 * near}, "5..5"},
		{"near behind", []decode.Ticks{5 * near, 6 * near}, "5..6"},
		{"just too far behind", []decode.Ticks{5 * near, 6*near + 1}, "5..5 6+1..6+1"},
		{"near before", []decode.Ticks{6 * near, 5 * near}, "5..6"},
		{"just too far before", []decode.Ticks{6*near + 1, 5 * near}, "5..5 6+1..6+1"},
		{"inside", []decode.Ticks{5 * near, 6 * near, 5*near + 7}, "5..6"},
		{"between two ranges: the later one takes it", []decode.Ticks{5 * near, 7 * near, 6 * near}, "5..5 6..7"},
		{"eight ranges", []decode.Ticks{0, far, 2 * far, 3 * far, 4 * far, 5 * far, 6 * far, 7 * far}, "0..0 100..100 200..200 300..300 400..400 500..500 600..600 700..700"},
		{"nine ranges: the first of the closest are joined", []decode.Ticks{0, far, 2 * far, 3 * far, 4 * far, 5 * far, 6 * far, 7 * far, 8 * far}, "0..100 200..200 300..300 400..400 500..500 600..600 700..700 800..800"},
		{"nine ranges: the closest are joined", []decode.Ticks{0, far, 2 * far, 3 * far, 4 * far, 5 * far, 6 * far, 7 * far, 4*far + 2*near}, "0..0 100..100 200..200 300..300 400..402 500..500 600..600 700..700"},
	} {
		r := references{buffer: 7}
		for _, at := range test.times {
			r.add(at)
		}
		show := func(at decode.Ticks) string {
			if at%near != 0 {
				return fmt.Sprintf("%d+%d", at/near, at%near)
			}
			return fmt.Sprint(at / near)
		}
		var got []string
		for _, v := range r.ranges {
			got = append(got, show(v.From)+".."+show(v.To))
			if v.Buffer != 7 {
				t.Errorf("%s: buffer %d", test.name, v.Buffer)
			}
		}
		if text := strings.Join(got, " "); text != test.want {
			t.Errorf("%s: %s, want %s", test.name, text, test.want)
		}
	}
}
