package cache

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// rowsOf are the bytes of a table's file: any will do.
func rowsOf(table string) []byte { return bytes.Repeat([]byte(table+"\n"), 1000/len(table)) }

// open opens a cache in a new folder.
func open(t *testing.T, limit int64) *Cache {
	t.Helper()
	c, err := Open(filepath.Join(t.TempDir(), "cache"), limit)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// need parses a need: "table" or "table: column column".
func need(text string) selection.Need {
	table, columns, _ := strings.Cut(text, ":")
	return selection.Need{Table: table, Columns: strings.Fields(columns)}
}

func needs(texts ...string) (list []selection.Need) {
	for _, text := range texts {
		list = append(list, need(text))
	}
	return list
}

// draft begins a piece with files for the tables of needs, "stacks" for a pattern.
func (s *Set) draft(t testing.TB, list []selection.Need) *Draft {
	t.Helper()
	d, err := s.Begin()
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	write := func(name string, text []byte) {
		path := filepath.Join(d.Folder(), name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, text, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for _, n := range list {
		table := strings.ReplaceAll(n.Table, "*", "stacks")
		text := rowsOf(table)
		write(table+"/x.parquet", text)
		files = append(files, fmt.Sprintf(`{"table": %q, "file": %q, "rows": 1, "bytes": %d, "crc32c": "%08x"}`, table, table+"/x.parquet", len(text), crc32.Checksum(text, castagnoli)))
	}
	write("_traces/x.json", fmt.Appendf(nil, `{"format": 4, "part": "x", "traces": [{"trace": "x"}], "files": [%s]}`, strings.Join(files, ", ")))
	return d
}

// keep makes a piece for needs, of events within bounds, and unlocks it. It returns its folder, or "" if it
// is not kept.
func (s *Set) keep(t testing.TB, within *selection.Bounds, texts ...string) (folder string) {
	t.Helper()
	list := needs(texts...)
	d := s.draft(t, list)
	p, isKept, err := d.Keep(t.Context(), &About{Names: []string{"x.etl"}, Needs: list, Bounds: within})
	if err == nil {
		err = p.Close()
	}
	if err = errors.Join(err, d.Discard()); err != nil {
		t.Fatal(err)
	}
	if !isKept {
		return ""
	}
	return p.Folder()
}

// find finds pieces. They must be closed.
func (s *Set) find(t testing.TB, within *selection.Bounds, texts ...string) *Found {
	t.Helper()
	found, err := s.Find(needs(texts...), within, nil)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// answers reports whether pieces meet needs: all of their tables are chosen, and the files are whole.
func (s *Set) answers(t testing.TB, within *selection.Bounds, texts ...string) bool {
	t.Helper()
	found := s.find(t, within, texts...)
	defer found.Close() // nothing was written
	tables, ok := found.Choose()
	if !ok || len(found.Missing) > 0 {
		return false
	}
	for i, p := range found.Pieces {
		for table := range tables[i] {
			if text, err := os.ReadFile(filepath.Join(p.Folder(), table, "x.parquet")); err != nil || !bytes.Equal(text, rowsOf(table)) {
				t.Errorf("%s of a piece is %.20q, %v", table, text, err)
			}
		}
	}
	return true
}

func bounds(from, to int64, providers ...string) *selection.Bounds {
	return &selection.Bounds{From: from, To: to, Providers: providers}
}

// TestBounds asks a set with a piece of some events for others: it answers only with all events that were
// asked for. Tables about the trace are the same for all.
func TestBounds(t *testing.T) {
	for _, test := range []struct {
		kept, asked *selection.Bounds
		want        bool
	}{
		{nil, nil, true},
		{nil, bounds(10, 20), true},
		{nil, bounds(10, 20, "a"), true},
		{bounds(10, 20), bounds(10, 20), true},
		{bounds(10, 20), bounds(12, 18), true},
		{bounds(10, 20), bounds(12, 18, "a"), true},
		{bounds(10, 20, "a", "b"), bounds(10, 20, "b"), true},
		{bounds(10, 20), nil, false},
		{bounds(10, 20), bounds(9, 20), false},
		{bounds(10, 20), bounds(10, 21), false},
		{bounds(10, 20), bounds(30, 40), false},
		{bounds(10, 20, "a"), bounds(10, 20), false},
		{bounds(10, 20, "a"), bounds(10, 20, "a", "b"), false},
		{bounds(10, 20, "a"), nil, false},
	} {
		s := open(t, 1<<20).Set([]byte("x"))
		s.keep(t, test.kept, "event_header", "processes")
		if got := s.answers(t, test.asked, "event_header"); got != test.want {
			t.Errorf("a piece of %v answers for %v: %t", test.kept, test.asked, got)
		}
		if !s.answers(t, test.asked, "processes") {
			t.Errorf("a piece of %v has no processes for %v", test.kept, test.asked)
		}
		if got := s.answers(t, test.asked, "processes", "event_header"); got != test.want {
			t.Errorf("a piece of %v answers for %v, and processes: %t", test.kept, test.asked, got)
		}
		found := s.find(t, test.asked, "event_header")
		if !test.want && (found.Bounds != nil || len(found.Pieces) > 0) {
			t.Errorf("after a piece of %v, one of %v is made for %v, beside %d", test.kept, found.Bounds, test.asked, len(found.Pieces))
		}
		if err := found.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestBoundsOfSeveral has a piece of few events, and one of all without the table: the table comes from none.
// A piece that is wider takes the place of the narrow one. With a piece that has all events, the table comes
// from that.
func TestBoundsOfSeveral(t *testing.T) {
	s := open(t, 1<<20).Set([]byte("x"))
	narrow := s.keep(t, bounds(10, 20), "event_header", "processes")
	s.keep(t, nil, "stacks")
	if s.answers(t, nil, "event_header", "processes", "stacks") {
		t.Error("a table of few events answers for all")
	}
	if !s.answers(t, bounds(11, 12), "event_header", "stacks") {
		t.Error("two pieces do not answer together")
	}
	wide := s.keep(t, bounds(0, 30), "event_header", "processes")
	if names, err := s.names(); err != nil || len(names) != 2 || !slices.Contains(names, filepath.Base(wide)) || slices.Contains(names, filepath.Base(narrow)) {
		t.Errorf("pieces %q, %v, want not the narrow %s", names, err, narrow)
	}
	s.keep(t, nil, "event_header")
	found := s.find(t, nil, "event_header", "processes")
	for range found.Pieces {
		tables, ok := found.Choose()
		if at := slices.IndexFunc(tables, func(m map[string]bool) bool { return m["event_header"] }); !ok || len(tables) != 2 || found.Pieces[at].Bounds != nil {
			t.Errorf("of pieces with few and all events, %v are chosen", tables)
		}
		slices.Reverse(found.Pieces)
	}
	if err := found.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestColumns asks for columns and for tables by patterns.
func TestColumns(t *testing.T) {
	for _, test := range []struct {
		kept, asked []string
		missing     string // the needs that a new piece is made for
	}{
		{[]string{"stacks"}, []string{"stacks"}, "[]"},
		{[]string{"stacks"}, []string{"STACKS: depth"}, "[]"},
		{[]string{"stacks: a b"}, []string{"stacks: b"}, "[]"},
		{[]string{"stacks: a b"}, []string{"stacks: b c"}, "[{stacks [a b c]}]"},
		{[]string{"stacks: a b"}, []string{"stacks"}, "[{stacks []}]"},
		{[]string{"stacks: a", "traces: b"}, []string{"stacks: a", "traces: c", "traces: d"}, "[{traces [b c d]}]"},
		{[]string{"*"}, []string{"stacks: a", "traces"}, "[]"},
		{[]string{"*"}, []string{"events: event_ref"}, "[{events [event_ref]}]"},
		{[]string{"stacks"}, []string{"*"}, "[{* []}]"},
	} {
		s := open(t, 1<<20).Set([]byte("x"))
		s.keep(t, nil, test.kept...)
		found := s.find(t, nil, test.asked...)
		if got := fmt.Sprint(found.Missing); got != test.missing {
			t.Errorf("%q of a piece with %q: %s is missing, want %s", test.asked, test.kept, got, test.missing)
		}
		if err := found.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestLocks has readers of a piece: another one may read it, and no one may remove it.
func TestLocks(t *testing.T) {
	c := open(t, 1<<20)
	s := c.Set([]byte("x"))
	folder := s.keep(t, nil, "stacks")
	first := s.find(t, nil, "stacks")
	second := s.find(t, nil, "stacks")
	if len(first.Pieces) != 1 || len(second.Pieces) != 1 {
		t.Fatalf("readers at once have %d and %d pieces", len(first.Pieces), len(second.Pieces))
	}
	size := first.Pieces[0].bytes()
	c.limit = size + size/2
	for _, f := range []*Found{first, second} {
		if left, err := c.Clear(); err != nil || left < size {
			t.Errorf("Clear leaves %d bytes, %v, and a reader has %d", left, err, size)
		}
		if other := c.Set([]byte("y")).keep(t, nil, "stacks"); other != "" {
			t.Error("a piece is kept, and the one that is read takes its room")
		}
		s.prune(&Piece{path: "another", manifest: f.Pieces[0].manifest})
		if !s.answers(t, nil, "stacks") {
			t.Fatal("a piece that is read was removed")
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	lock, err := lockPiece(folder, true)
	if err != nil {
		t.Fatal(err)
	}
	if s.answers(t, nil, "stacks") {
		t.Error("a piece is found while it is removed")
	}
	if err := lock.Close(); err != nil {
		t.Fatal(err)
	}
	if !s.answers(t, nil, "stacks") {
		t.Error("a piece is lost that was not removed")
	}
	if left, err := c.Clear(); err != nil || left != 0 || s.answers(t, nil, "stacks") {
		t.Errorf("Clear leaves %d bytes of pieces that no one reads, %v", left, err)
	}
}

// damages are ways to damage a file.
var damages = map[string]func(path string, text []byte) error{
	"cut":     func(path string, text []byte) error { return os.Truncate(path, int64(len(text)/2)) },
	"emptied": func(path string, _ []byte) error { return os.Truncate(path, 0) },
	"removed": func(path string, _ []byte) error { return os.Remove(path) },
	"zeroed":  func(path string, text []byte) error { return os.WriteFile(path, make([]byte, len(text)), 0o600) },
	"flipped": func(path string, text []byte) error {
		info, err := os.Stat(path)
		text = bytes.Clone(text)
		text[len(text)/2] ^= 0x40
		return errors.Join(err, os.WriteFile(path, text, 0o600), os.Chtimes(path, info.ModTime(), info.ModTime()))
	},
}

// TestDamage damages each file of a piece, and an index, in each way. It is not used, and removed.
func TestDamage(t *testing.T) {
	s := open(t, 1<<20).Set([]byte("x"))
	for way, damage := range damages {
		for _, name := range []string{manifestFile, "stacks/x.parquet", "traces/x.parquet", "_traces/x.json", indexFile} {
			folder, isUsed := "", func() bool { return s.answers(t, nil, "stacks") }
			if name == indexFile {
				folder, isUsed = s.keepIndex(t, "index"), func() bool { return s.index(t) != "" }
			} else {
				folder = s.keep(t, nil, "stacks", "traces")
			}
			if !isUsed() {
				t.Fatal("the whole piece is not used")
			}
			path := filepath.Join(folder, name)
			text, err := os.ReadFile(path)
			if err = errors.Join(err, damage(path, text)); err != nil {
				t.Fatal(err)
			}
			if isUsed() {
				t.Errorf("%s of a piece is %s, and the piece is used", name, way)
			}
			if _, err := os.Stat(folder + lockSuffix); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s of a piece is %s, and the piece is left: %v", name, way, err)
			}
		}
	}
}

// TestIdentity changes the identities of files, and not their contents: the files are read once, and used.
func TestIdentity(t *testing.T) {
	c := open(t, 1<<20)
	c.Set([]byte("x")).keep(t, nil, "stacks")
	other := copyOf(t, c)
	for range 2 {
		found := other.Set([]byte("x")).find(t, nil, "stacks")
		if len(found.Pieces) != 1 {
			t.Fatal("a copy of a piece is not used")
		}
		if whole, changed := found.Pieces[0].check(found.Pieces[0].Folder(), bootName()); !whole || changed {
			t.Errorf("afterwards, the copy is whole: %t, its identities are others: %t", whole, changed)
		}
		if m, err := readManifest(found.Pieces[0].Folder()); err != nil || m.Files[0].ID != found.Pieces[0].Files[0].ID {
			t.Errorf("the manifest has not the identities of the copy, %v", err)
		}
		if err := found.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if c.Set([]byte("y")).answers(t, nil, "stacks") {
		t.Error("the piece of a set answers for another one")
	}
}

// keepIndex makes a piece with an index, and returns its folder.
func (s *Set) keepIndex(t testing.TB, text string) (folder string) {
	t.Helper()
	d, err := s.Begin()
	if err != nil {
		t.Fatal(err)
	}
	f, err := d.CreateIndex()
	if err == nil {
		_, err = f.WriteString(text)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	isKept, err := d.KeepIndex(&About{Notes: text}, func(*Piece) bool { return true })
	if err = errors.Join(err, d.Discard()); err != nil || !isKept {
		t.Fatal(isKept, err)
	}
	names, err := s.names()
	if err != nil || len(names) != 1 {
		t.Fatalf("pieces %q, %v: want the new index alone", names, err)
	}
	return filepath.Join(s.path, names[0])
}

// index returns the index of the set, or "".
func (s *Set) index(t testing.TB) string {
	t.Helper()
	p, err := s.Index(func(p *Piece) bool { return string(p.Notes()) != `"other"` })
	if err != nil {
		t.Fatal(err)
	}
	if p == nil {
		return ""
	}
	text, err := os.ReadFile(p.IndexPath())
	if err = errors.Join(err, p.Close()); err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestIndex keeps indexes of a set, of which the last one stays.
func TestIndex(t *testing.T) {
	s := open(t, 1<<20).Set([]byte("x"))
	for _, text := range []string{"first", "second", "other"} {
		s.keepIndex(t, text)
		if got := s.index(t); got != text && text != "other" || got != "" && text == "other" {
			t.Errorf("after %s, the index is %q", text, got)
		}
	}
	if s.answers(t, nil, "stacks") {
		t.Error("an index answers for a table")
	}
	s.DropIndexes()
	if names, err := s.names(); err != nil || len(names) > 0 {
		t.Errorf("%q is left, %v", names, err)
	}
}

// TestEviction keeps more pieces than the cache may hold: those whose use is longest ago go.
func TestEviction(t *testing.T) {
	c := open(t, 1<<20)
	names := []string{"a", "b", "c", "d", "e"}
	c.Set([]byte("a")).keep(t, nil, "stacks")
	one, err := bytesBelow(c.root)
	if err != nil {
		t.Fatal(err)
	}
	c.limit = 3*one + one/8
	for i, name := range names[1:] {
		if c.Set([]byte(name)).keep(t, nil, "stacks") == "" {
			t.Errorf("%s is not kept", name)
		}
		list, err := c.List()
		if err != nil {
			t.Fatal(err)
		}
		for n, k := range list { // the times of the last uses, without a wait
			at := time.Now().Add(time.Duration(-1-n) * time.Hour)
			if err := os.Chtimes(k.Folder+lockSuffix, at, at); err != nil {
				t.Fatal(err)
			}
		}
		if n, err := bytesBelow(c.root); err != nil || n > c.limit || len(list) != min(i+2, 3) {
			t.Errorf("%d bytes in %d pieces are kept, and the limit is %d; %v", n, len(list), c.limit, err)
		}
		if i > 0 && !c.Set([]byte("b")).answers(t, nil, "stacks") { // its use makes it the last to go
			t.Error("the piece that was used last is gone")
		}
	}
	for _, name := range names {
		if want := name == "b" || name > "c"; c.Set([]byte(name)).answers(t, nil, "stacks") != want {
			t.Errorf("%s is kept: %t", name, !want)
		}
	}
	c.limit = 10
	if c.Set([]byte("f")).keep(t, nil, "stacks") != "" || !c.Set([]byte("b")).answers(t, nil, "stacks") {
		t.Error("a piece that is larger than the cache changes it")
	}
}

// copyOf returns a copy of a cache as a process finds it that starts now, without the locks of this one.
func copyOf(t testing.TB, c *Cache) *Cache {
	t.Helper()
	root := filepath.Join(t.TempDir(), "copy")
	if err := errors.Join(os.CopyFS(root, os.DirFS(c.root)), os.Chmod(root, 0o700)); err != nil {
		t.Fatal(err)
	}
	other, err := OpenExisting(root, c.limit)
	if err != nil {
		t.Fatal(err)
	}
	return other
}

// TestKill takes the files of a cache between all steps of a process that adds and removes pieces, as if it
// had been killed there. The next process finds whole pieces or none, adds one, and leaves nothing of the
// killed one.
func TestKill(t *testing.T) {
	c := open(t, 1<<20)
	s := c.Set([]byte("x"))
	s.keep(t, nil, "stacks: a")
	s.keep(t, bounds(1, 2), "event_header")
	steps, found := 0, 0
	c.step = func() {
		steps++
		o := copyOf(t, c)
		next := o.Set([]byte("x"))
		if next.answers(t, nil, "stacks") {
			found++
		}
		next.answers(t, bounds(1, 2), "event_header")
		next.index(t)
		next.keep(t, nil, "stacks")
		if !next.answers(t, nil, "stacks") {
			t.Errorf("killed at step %d: no piece can be kept", steps)
		}
		list, err := o.List()
		if left, err := filepath.Glob(filepath.Join(o.root, newPrefix+"*")); err != nil || len(left) > 0 {
			t.Errorf("killed at step %d: %q is left, %v", steps, left, err)
		}
		locks, globErr := filepath.Glob(filepath.Join(o.root, "*", "*"+lockSuffix))
		folders, dirErr := filepath.Glob(filepath.Join(o.root, "*", "*", manifestFile))
		if err := errors.Join(err, globErr, dirErr); err != nil || len(list) != len(folders) || len(locks) != len(folders) {
			t.Errorf("killed at step %d: %d pieces, %d locks, %d folders, %v", steps, len(list), len(locks), len(folders), err)
		}
		if left, err := o.Clear(); err != nil || left > 0 {
			t.Errorf("killed at step %d: Clear leaves %d bytes, %v", steps, left, err)
		}
	}
	s.keep(t, nil, "stacks", "event_header") // in place of both
	if steps < 10 || found == 0 || found == steps {
		t.Errorf("%d of %d steps have the new piece", found, steps)
	}
	if _, err := c.Clear(); err != nil {
		t.Fatal(err)
	}
	s.keepIndex(t, "an index")
	if _, err := c.Clear(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d steps", steps)
}

// TestTogether has several readers that add what they miss, while another one clears the cache.
func TestTogether(t *testing.T) {
	c := open(t, 1<<20)
	s := c.Set([]byte("x"))
	done := make(chan struct{})
	var clearing, running sync.WaitGroup
	clearing.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
			}
			if _, err := c.Clear(); err != nil {
				t.Error(err)
				return
			}
		}
	})
	tables := []string{"stacks", "traces", "event_header", "processes"}
	for n := range 4 {
		running.Go(func() {
			random := rand.New(rand.NewPCG(34, uint64(n)))
			for range testenv.Times(t, 20, 50, 500, 5000) {
				asked := tables[:1+random.IntN(len(tables))]
				if !s.answers(t, nil, asked...) {
					s.keep(t, nil, asked...)
				}
			}
		})
	}
	running.Wait()
	close(done)
	clearing.Wait()
	if left, err := c.Clear(); err != nil || left > 0 {
		t.Errorf("%d bytes are left, %v", left, err)
	}
	entries, err := os.ReadDir(c.root)
	if err != nil || len(entries) != 1 {
		t.Errorf("%v is left beside the tag, %v", entries, err)
	}
}
