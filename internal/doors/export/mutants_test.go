package export

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestMutants damages small traces in many ways: every format writes a valid file, or says what is
// missing.
func TestMutants(t *testing.T) {
	mutants := testenv.Times(t, 10, 100, 2000, 2000)
	var originals [][]byte
	for _, name := range []string{"small", "hostile"} {
		text := testenv.ReadFile(t, filepath.Join("testdata", name+".txt"))
		trace := etltest.MustParse(t, string(text))
		originals = append(originals, trace)
	}
	for _, path := range testenv.SharedOr(t, "traces/*.etl") {
		if info, err := os.Stat(path); err != nil || info.Size() > 400<<10 {
			continue
		}
		trace := testenv.ReadFile(t, path)
		originals = append(originals, trace)
	}
	random := testenv.Seeded("exports")
	written := 0
	for range mutants {
		trace := mutant(random, originals)
		path := filepath.Join(t.TempDir(), "mutant.etl")
		testenv.WriteFile(t, path, trace)
		traces, err := etl2parquet.OpenAll(t.Context(), []string{path}, etl2parquet.Options{})
		if err != nil {
			continue // not a trace any more
		}
		o := Options{Idle: random.IntN(2) == 0, Of: kinds[random.IntN(len(kinds))].name}
		for _, f := range profiles() {
			var file bytes.Buffer
			err := f.Write(t.Context(), traces, &file, o)
			switch {
			case errors.As(err, new(*LackError)):
			case err != nil && !errors.As(err, new(*facts.InputError)):
				t.Errorf("%s of %s: %v", f.Name, o.Of, err)
			default:
				readable(t, f, file.Bytes())
				written++
			}
		}
		if err := traces.Close(); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			kept := filepath.Join(os.TempDir(), "export-mutant.etl")
			testenv.WriteFile(t, kept, trace)
			t.Fatalf("the mutant is %s", kept)
		}
	}
	if written < mutants/2 {
		t.Errorf("%d files of %d mutants", written, mutants)
	}
	t.Logf("SCORE %d mutants of %d traces, %d files", mutants, len(originals), written)
}

// mutant returns one of the traces with some bytes or a time changed, or cut. Half of them are of the first two,
// which are made for exports.
func mutant(random *rand.Rand, originals [][]byte) []byte {
	trace := bytes.Clone(originals[random.IntN(2)])
	if random.IntN(2) == 0 {
		trace = bytes.Clone(originals[random.IntN(len(originals))])
	}
	if changed := decodetest.DamageTime(random, trace); changed != nil && random.IntN(4) == 0 {
		return changed
	}
	used := len(bytes.TrimRight(trace, "\xff\x00")) + 1 // the rest of a buffer is empty
	for range 1 + random.IntN(8) {
		at := random.IntN(min(used, len(trace)))
		switch random.IntN(4) {
		case 0:
			trace[at] = byte(random.IntN(256))
		case 1:
			trace[at] ^= 1 << random.IntN(8)
		case 2:
			copy(trace[at:], strings.Repeat("\xff", 1+random.IntN(8)))
		default:
			from := random.IntN(len(trace))
			copy(trace[at:], trace[from:min(len(trace), from+1+random.IntN(64))])
		}
	}
	if random.IntN(10) == 0 {
		trace = trace[:random.IntN(len(trace))]
	}
	return trace
}
