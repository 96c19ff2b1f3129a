package etl2parquet_test

import (
	"bytes"
	"errors"
	"fmt"
	"hash/maphash"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/slabs"
	"github.com/etl2parquet/etl2parquet/internal/engine/splits"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

var hashSeed = maphash.MakeSeed()

// hashesOf reads a scan to its end and returns a hash of each row.
func hashesOf(t testing.TB, trace *etl2parquet.Trace, s etl2parquet.Scan) []uint64 {
	t.Helper()
	reader := scan(t, trace, s)
	defer reader.Release()
	var rows []uint64
	for reader.Next() {
		batch := reader.RecordBatch()
		for i := range int(batch.NumRows()) {
			var h maphash.Hash
			h.SetSeed(hashSeed)
			for _, column := range batch.Columns() {
				h.WriteString(column.ValueStr(i))
				h.WriteByte(0)
			}
			rows = append(rows, h.Sum64())
		}
	}
	if err := reader.Err(); err != nil {
		t.Fatal(err)
	}
	return rows
}

func splitsOf(t testing.TB, trace *etl2parquet.Trace, s etl2parquet.Scan, most int) []etl2parquet.Split {
	t.Helper()
	list, err := trace.Splits(t.Context(), s, most)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) == 0 || len(list) > most {
		t.Fatalf("%s: %d splits, at most %d are wanted", s.Table, len(list), most)
	}
	return list
}

// checkUnion checks that the rows of splits, one after another, are the expected rows.
func checkUnion(t testing.TB, trace *etl2parquet.Trace, tokens []string, want []uint64) {
	t.Helper()
	at := 0
	for i, token := range tokens {
		got := hashesOf(t, trace, etl2parquet.Scan{Split: token})
		if at+len(got) > len(want) || !slices.Equal(got, want[at:at+len(got)]) {
			t.Fatalf("split %d of %d has %d rows that are not rows %d and following of %d", i, len(tokens), len(got), at, len(want))
		}
		at += len(got)
	}
	if at != len(want) {
		t.Fatalf("%d splits have %d rows, want %d", len(tokens), at, len(want))
	}
}

func tokensOf(list []etl2parquet.Split) (tokens []string) {
	for _, s := range list {
		tokens = append(tokens, s.Token)
	}
	return tokens
}

// randomTokens cuts a table at random keys, which are near those of real splits: between
// events, between events of the same time, and beyond all.
func randomTokens(t testing.TB, r *rand.Rand, list []etl2parquet.Split, wholeTimes bool) (tokens []string) {
	t.Helper()
	var keys []slabs.Key
	for _, s := range list {
		split, err := splits.Parse(s.Token)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			key := slabs.Key{Time: split.Range.From.Time + r.Int64N(5) - 2, Rank: r.Int32N(30)}
			if wholeTimes {
				key.Rank = 0
			}
			keys = append(keys, key)
		}
	}
	whole, err := splits.Parse(list[0].Token)
	if err != nil {
		t.Fatal(err)
	}
	whole.Range = slabs.Whole()
	keys = slices.DeleteFunc(keys, func(k slabs.Key) bool { return k.Compare(slabs.First) <= 0 || k.Compare(slabs.Last) >= 0 })
	slices.SortFunc(keys, slabs.Key.Compare)
	for _, key := range keys {
		part := *whole
		part.Range.To = key
		tokens = append(tokens, part.Token())
		whole.Range.From = key
	}
	return append(tokens, whole.Token())
}

// TestSplits checks for the tables of all traces that the rows of splits, one after another,
// are the rows of the table.
func TestSplits(t *testing.T) {
	for _, path := range append(testenv.SharedTraces(t), sample, "testdata/sample-compressed.etl") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			r := testenv.Seeded(path)
			trace := open(t, path, 2)
			tables := trace.Tables()
			if testing.Short() {
				tables = spread(r, tables, infoOf(t, trace).Events)
			}
			for _, table := range tables {
				s := etl2parquet.Scan{Table: table.Name}
				want := hashesOf(t, trace, s)
				for _, n := range []int{1, 2 + r.IntN(5), 10 + r.IntN(testenv.Times(t, 4, 40, 40, 40))} {
					list := splitsOf(t, trace, s, n)
					checkUnion(t, trace, tokensOf(list), want)
					if len(list) == 1 && list[0].Rows >= 0 && list[0].Rows != int64(len(want)) {
						t.Errorf("%s: %d rows, the split says %d", table.Name, len(want), list[0].Rows)
					}
				}
				if list := splitsOf(t, trace, s, 6); len(list) > 1 {
					checkUnion(t, trace, randomTokens(t, r, list, table.Name == "stack_events"), want)
				}
			}
		})
	}
}

// spread returns some tables of a trace: those with rows of all kinds, and others by chance.
func spread(r *rand.Rand, tables []etl2parquet.Table, events int64) (some []etl2parquet.Table) {
	chance := min(1, 20_000/float64(events+1))
	for _, table := range tables {
		if table.Name == "stack_events" || r.Float64() < chance {
			some = append(some, table)
		}
	}
	return some
}

// TestSplitTimes checks the time bounds of splits, and that the splits of a selection have its rows.
func TestSplitTimes(t *testing.T) {
	trace := open(t, sample, 2)
	for i, s := range []etl2parquet.Scan{
		{Selection: facts.Selection{From: bound(t, "90")}}, {Selection: facts.Selection{From: bound(t, "2"), To: bound(t, "1")}}, // without rows
		{Table: "events"}, {Table: "Thread/CSwitch"}, {Selection: facts.Selection{Events: []string{"CSwitch"}}},
		{Selection: facts.Selection{Processes: []string{"explorer"}}, Payload: etl2parquet.PayloadAll},
		{Selection: facts.Selection{From: bound(t, "0.5"), To: bound(t, "1.5")}}, {Table: "stack_events", Selection: facts.Selection{Providers: []string{"perfinfo"}}},
	} {
		want := hashesOf(t, trace, s)
		if hasRows := i >= 2; hasRows != (len(want) > 0) {
			t.Errorf("%+v: %d rows", s, len(want))
		}
		list := splitsOf(t, trace, s, 5)
		checkUnion(t, trace, tokensOf(list), want)
		for _, split := range list {
			reader := scan(t, trace, etl2parquet.Scan{Split: split.Token, Columns: []string{"time_ns"}})
			for reader.Next() {
				batch := reader.RecordBatch()
				for i := range int(batch.NumRows()) {
					var ns int64
					fmt.Sscan(batch.Column(0).ValueStr(i), &ns)
					if ns < split.First.UnixNano() || ns > split.Last.UnixNano() {
						t.Errorf("%+v: a row at %d in a split from %v to %v", s, ns, split.First, split.Last)
					}
				}
			}
			if err := reader.Err(); err != nil {
				t.Error(err)
			}
			reader.Release()
		}
	}
}

// TestSameSplits checks that splits depend neither on workers nor on memory.
func TestSameSplits(t *testing.T) {
	var want [][]etl2parquet.Split
	for _, o := range []etl2parquet.Options{{Workers: 1}, {Workers: 3, Memory: 128 << 20}, {Workers: 16, Memory: 4 << 30}} {
		trace, err := etl2parquet.Open(t.Context(), sample, o)
		if err != nil {
			t.Fatal(err)
		}
		var got [][]etl2parquet.Split
		for _, table := range trace.Tables() {
			got = append(got, splitsOf(t, trace, etl2parquet.Scan{Table: table.Name}, 7))
		}
		if err := trace.Close(); err != nil {
			t.Error(err)
		}
		if want == nil {
			want = got
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%+v: other splits: %s", o, diff)
		}
	}
}

// TestSplitOfChangedTrace checks that a split of a trace is refused if any byte of it changes.
func TestSplitOfChangedTrace(t *testing.T) {
	for _, path := range []string{sample, "testdata/sample-compressed.etl"} {
		data := testenv.ReadFile(t, path)
		trace := open(t, path, 2)
		token := splitsOf(t, trace, etl2parquet.Scan{Table: "Thread/CSwitch"}, 3)[1].Token
		r := testenv.Seeded("changed")
		changed := map[string][]byte{"cut off": data[:len(data)-1], "longer": append(slices.Clone(data), 0), "": slices.Clone(data)}
		for range 100 {
			other, at := slices.Clone(data), r.IntN(len(data))
			other[at] ^= 1 << r.IntN(8)
			changed[fmt.Sprintf("byte %#x", at)] = other
		}
		for name, data := range changed {
			err := scanError(t, data, token)
			if isSame := name == ""; isSame != (err == nil) || err != nil && !errors.Is(err, etl2parquet.ErrChanged) {
				t.Errorf("%s, %s: error %v", path, name, err)
			}
		}
	}
}

// scanError opens a trace and returns the error of the scan of a split. A trace that cannot be
// opened is changed, too.
func scanError(t *testing.T, data []byte, token string) error {
	trace, err := etl2parquet.OpenReader(t.Context(), bytes.NewReader(data), int64(len(data)), "changed.etl", etl2parquet.Options{})
	if err != nil {
		return etl2parquet.ErrChanged
	}
	defer trace.Close()
	reader, err := trace.Scan(t.Context(), etl2parquet.Scan{Split: token})
	if err != nil {
		return err
	}
	reader.Release()
	return nil
}

// TestSplitErrors checks the errors for options that cannot be combined with a split, and for invalid
// tokens.
func TestSplitErrors(t *testing.T) {
	trace := open(t, sample, 1)
	token := splitsOf(t, trace, etl2parquet.Scan{Table: "Thread/CSwitch"}, 3)[1].Token
	for name, test := range map[string]struct {
		scan etl2parquet.Scan
		want string
	}{
		"no token":       {etl2parquet.Scan{Split: "nonsense"}, "not a token"},
		"damaged token":  {etl2parquet.Scan{Split: "B" + token[1:]}, "not a token"},
		"cut token":      {etl2parquet.Scan{Split: token[:len(token)-4]}, "damaged, cut off"},
		"other table":    {etl2parquet.Scan{Split: token, Table: "processes"}, "of the table events/Thread/CSwitch, and the scan reads processes"},
		"other rows":     {etl2parquet.Scan{Split: token, Selection: facts.Selection{Events: []string{"*"}}}, "must have none"},
		"unknown column": {etl2parquet.Scan{Split: token, Columns: []string{"nosuch"}}, "nosuch"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := trace.Scan(t.Context(), test.scan); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want an error with %q", err, test.want)
			}
		})
	}
	for _, n := range []int{0, -1} {
		if list, err := trace.Splits(t.Context(), etl2parquet.Scan{}, n); err == nil {
			t.Errorf("%d splits: %v", n, list)
		}
	}
	all := openWith(t, sample, etl2parquet.Options{Messages: 1})
	if _, err := all.Scan(t.Context(), etl2parquet.Scan{Split: token}); !errors.Is(err, etl2parquet.ErrContext) {
		t.Errorf("other messages: error %v", err)
	}
}

// countingReader counts reads of the file.
type countingReader struct {
	*bytes.Reader
	reads atomic.Int64
}

func (r *countingReader) ReadAt(p []byte, off int64) (int, error) {
	r.reads.Add(1)
	return r.Reader.ReadAt(p, off)
}

// TestSplitsReadTheirBuffers checks that a split, and a scan of a time range, read only buffers that
// may have their events.
func TestSplitsReadTheirBuffers(t *testing.T) {
	const processors = 2
	data := etltest.MustParse(t, "trace processors=2\nstream\nrepeat 8000 dt=1ms t=+1s { event64 id=1+$i%3 cpu=$i%2 payload=u64:$i }\n")
	file := &countingReader{Reader: bytes.NewReader(data)}
	trace, err := etl2parquet.OpenReader(t.Context(), file, int64(len(data)), "counted.etl", etl2parquet.Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer trace.Close()
	buffers := infoOf(t, trace).Buffers
	const n = 10
	scans := []etl2parquet.Scan{{Selection: facts.Selection{From: bound(t, "3"), To: bound(t, "3.8")}}}
	for _, split := range splitsOf(t, trace, etl2parquet.Scan{}, n) {
		scans = append(scans, etl2parquet.Scan{Split: split.Token})
	}
	if len(scans) != 1+n {
		t.Fatalf("%d splits, want %d", len(scans)-1, n)
	}
	for i, s := range scans {
		file.reads.Store(0)
		rows := len(hashesOf(t, trace, s))
		reads := file.reads.Load()
		t.Logf("scan %d: %d of %d buffers for %d rows", i, reads, buffers, rows)
		if most := buffers/n + 2*processors; rows < 700 || rows > 900 || reads > most || buffers < 100 {
			t.Errorf("scan %d reads %d of %d buffers for %d rows, want at most %d", i, reads, buffers, rows, most)
		}
	}
}
