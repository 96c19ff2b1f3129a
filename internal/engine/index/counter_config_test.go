package index

import (
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
)

func TestConfigAt(t *testing.T) {
	configs := []CounterConfig{{Time: 10}, {Time: 20}, {Time: 20}, {Time: 30}}
	for time, want := range map[decode.Ticks]int{-5: 0, 9: 0, 10: 0, 19: 0, 20: 2, 21: 2, 29: 2, 30: 3, 1000: 3} {
		for before := -1; before < len(configs); before++ {
			if got := ConfigAt(configs, before, time); got != want {
				t.Errorf("at %d, after %d: %d, want %d", time, before, got, want)
			}
		}
	}
}
