// Package storetest tests the contract that all stores share.
package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"

	"github.com/etl2parquet/etl2parquet/internal/lake/store"
)

// Run tests the contract of [store.Store]. Each call of open returns a new and empty
// store.
func Run(t *testing.T, open func(t *testing.T) store.Store) {
	for name, test := range map[string]func(*testing.T, store.Store){
		"publish":       testPublish,
		"discard":       testDiscard,
		"replace":       testReplace,
		"missing files": testNothing,
		"folders":       testFolders,
		"remove":        testRemove,
		"leftovers":     testLeftovers,
		"begin":         testBegin,
		"many at once":  testManyAtOnce,
		"cancelled":     testCancelled,
		"read back":     testReadBack,
		"unusual names": testNames,
	} {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
}

// Stage begins a file and stages it.
func Stage(t *testing.T, s store.Store, name, contents string) store.File {
	t.Helper()
	f, err := s.Create(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{contents[:len(contents)/2], contents[len(contents)/2:]} {
		if _, err := io.WriteString(f, part); err != nil {
			t.Fatal(err)
		}
	}
	size, err := f.Stage(t.Context())
	if err != nil || size != int64(len(contents)) {
		t.Fatalf("staged %d bytes, %v; want %d", size, err, len(contents))
	}
	return f
}

// Publish publishes files with their contents.
func Publish(t *testing.T, s store.Store, files map[string]string) {
	t.Helper()
	for name, contents := range files {
		if err := Stage(t, s, name, contents).Publish(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// Holds checks that a store has exactly the files want.
func Holds(t *testing.T, s store.Store, want map[string]string) {
	t.Helper()
	got := make(map[string]string)
	for entry, err := range s.List(t.Context(), "") {
		if err != nil {
			t.Fatal(err)
		}
		text, err := s.ReadFile(t.Context(), entry.Name)
		if err != nil || int64(len(text)) != entry.Size {
			t.Errorf("%s has %d bytes, %v; the list says %d", entry.Name, len(text), err, entry.Size)
		}
		got[entry.Name] = string(text)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	names := slices.Sorted(maps.Keys(want))
	sizes, err := s.Sizes(t.Context(), names...)
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range names {
		if sizes[i] != int64(len(want[name])) {
			t.Errorf("%s has %d bytes, want %d", name, sizes[i], len(want[name]))
		}
	}
}

func noLeftovers(t *testing.T, s store.Store) {
	t.Helper()
	if left, err := s.Leftovers(t.Context()); err != nil || len(left) > 0 {
		t.Errorf("left over: %v, %v", left, err)
	}
}

func testPublish(t *testing.T, s store.Store) {
	files := make(map[string]store.File)
	want := map[string]string{"a.txt": "a", "b/c/d.txt": "bcd", "b/empty": "", "b/large": string(bytes.Repeat([]byte("0123456789abcdef"), 1<<16))}
	for name, contents := range want {
		files[name] = Stage(t, s, name, contents)
	}
	Holds(t, s, map[string]string{})
	for _, f := range files {
		if err := f.Publish(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	Holds(t, s, want)
	for _, f := range files { // callers discard all files after an error
		if err := f.Discard(t.Context()); err != nil {
			t.Error(err)
		}
	}
	Holds(t, s, want)
	noLeftovers(t, s)
}

func testDiscard(t *testing.T, s store.Store) {
	Publish(t, s, map[string]string{"x/staged": "old"})
	written, err := s.Create(t.Context(), "y/written")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(written, "some"); err != nil {
		t.Fatal(err)
	}
	for _, f := range []store.File{written, Stage(t, s, "x/staged", "new"), Stage(t, s, "z/staged", "new")} {
		if err := errors.Join(f.Discard(t.Context()), f.Discard(t.Context())); err != nil {
			t.Error(err)
		}
	}
	Holds(t, s, map[string]string{"x/staged": "old"})
	noLeftovers(t, s)
	if folders, err := s.Folders(t.Context(), ""); err != nil || !slices.Equal(folders, []string{"x"}) {
		t.Errorf("folders %q, %v", folders, err)
	}
}

func testReplace(t *testing.T, s store.Store) {
	Publish(t, s, map[string]string{"a": "the first", "b": "another"})
	f := Stage(t, s, "a", "second")
	Holds(t, s, map[string]string{"a": "the first", "b": "another"})
	if err := f.Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	Holds(t, s, map[string]string{"a": "second", "b": "another"})
}

func testNothing(t *testing.T, s store.Store) {
	Publish(t, s, map[string]string{"a/b": "x"})
	for _, name := range []string{"c", "a", "a/c", "a/b/c", "d/e"} {
		if _, err := s.ReadFile(t.Context(), name); name != "a" && name != "a/b/c" && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("read %s: %v", name, err)
		}
		if _, err := s.Open(t.Context(), name); name != "a" && name != "a/b/c" && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("open %s: %v", name, err)
		}
		if sizes, err := s.Sizes(t.Context(), name); err != nil || sizes[0] != -1 {
			t.Errorf("sizes of %s: %v, %v", name, sizes, err)
		}
	}
	for _, err := range s.List(t.Context(), "nowhere") {
		t.Errorf("the list of an empty store is not empty: %v", err)
	}
	if folders, err := s.Folders(t.Context(), "nowhere"); err != nil || len(folders) > 0 {
		t.Errorf("folders %q, %v", folders, err)
	}
	if sizes, err := s.Sizes(t.Context()); err != nil || len(sizes) > 0 {
		t.Errorf("sizes of an empty store: %v, %v", sizes, err)
	}
}

func testFolders(t *testing.T, s store.Store) {
	Publish(t, s, map[string]string{"f": "", "b-c/f": "", "b/f": "", "b/d/f": "", "b/d-/e/f": "", "a/f": ""})
	for folder, want := range map[string][]string{"": {"a", "b", "b-c"}, "a": nil, "b": {"d", "d-"}, "b/d-": {"e"}} {
		if got, err := s.Folders(t.Context(), folder); err != nil || !slices.Equal(got, want) {
			t.Errorf("folders in %q: %q, %v; want %q", folder, got, err, want)
		}
	}
	for folder, want := range map[string][]string{"a": {"a/f"}, "b": {"b/d-/e/f", "b/d/f", "b/f"}, "b/d": {"b/d/f"}} {
		var got []string
		for entry, err := range s.List(t.Context(), folder) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, entry.Name)
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("list of %q: %q, want %q", folder, got, want)
		}
	}
	for range s.List(t.Context(), "") {
		break // iteration must stop here
	}
}

func testRemove(t *testing.T, s store.Store) {
	files := map[string]string{"a/b/1": "1", "a/b/2": "2", "a/c/1": "1", "d": "d"}
	Publish(t, s, files)
	if err := s.Remove(t.Context(), "a/b/1", "nowhere", "d", "a/b/2", "a/c/2", "x/y/z"); err != nil {
		t.Fatal(err)
	}
	Holds(t, s, map[string]string{"a/c/1": "1"})
	if folders, err := s.Folders(t.Context(), "a"); err != nil || !slices.Equal(folders, []string{"c"}) {
		t.Errorf("folders %q, %v", folders, err)
	}
	if err := s.Remove(t.Context()); err != nil {
		t.Error(err)
	}
	many := []string{"a/c/1"}
	for i := range 1500 {
		many = append(many, fmt.Sprint("a/c/none-", i))
	}
	if err := s.Remove(t.Context(), many...); err != nil {
		t.Error(err)
	}
	Holds(t, s, map[string]string{})
}

func testLeftovers(t *testing.T, s store.Store) {
	Publish(t, s, map[string]string{"a/1": "old", "a/3": "3"})
	Stage(t, s, "a/1", "new")
	Stage(t, s, "b/2", "two")
	left, err := s.Leftovers(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(left, func(a, b store.Leftover) int { return bytes.Compare([]byte(a.Name), []byte(b.Name)) })
	if len(left) != 2 || left[0].Name != "a/1" || left[1].Name != "b/2" || left[0].Time.IsZero() {
		t.Fatalf("left over: %+v", left)
	}
	for range 2 {
		if err := s.RemoveLeftovers(t.Context(), left...); err != nil {
			t.Error(err)
		}
	}
	noLeftovers(t, s)
	Holds(t, s, map[string]string{"a/1": "old", "a/3": "3"})
	if err := s.RemoveLeftovers(t.Context(), store.Leftover{Name: "a/1", ID: "a/1"}); err != nil {
		t.Logf("a published file is refused: %v", err)
	}
	Holds(t, s, map[string]string{"a/1": "old", "a/3": "3"})
}

// testBegin checks that Begin clears only on request, and that files written
// afterwards are not leftovers.
func testBegin(t *testing.T, s store.Store) {
	if err := s.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	cleared := 0
	for _, always := range []bool{false, true} {
		err := s.Begin(t.Context(), always, func(bool) error { cleared++; return nil })
		if err != nil {
			t.Fatal(err)
		}
	}
	if cleared != 1 {
		t.Errorf("cleared %d times", cleared)
	}
	Publish(t, s, map[string]string{"a/1": "one"})
	Holds(t, s, map[string]string{"a/1": "one"})
	noLeftovers(t, s)
	wrong := errors.New("wrong")
	if err := s.Begin(t.Context(), true, func(bool) error { return wrong }); !errors.Is(err, wrong) {
		t.Errorf("error %v, want the error of clear", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	Holds(t, s, map[string]string{"a/1": "one"})
}

// testManyAtOnce publishes and discards files in folders that other writers empty.
func testManyAtOnce(t *testing.T, s store.Store) {
	const writers, rounds = 4, 25
	var g errgroup.Group
	for w := range writers {
		g.Go(func() error {
			name := fmt.Sprintf("a/b/c/%d", w)
			for i := range rounds {
				f, err := s.Create(context.Background(), name)
				if err != nil {
					return err
				}
				_, err = io.WriteString(f, name)
				if i%2 == 1 {
					if err = errors.Join(err, f.Discard(context.Background())); err != nil {
						return err
					}
					continue
				}
				if _, stageErr := f.Stage(context.Background()); errors.Join(err, stageErr) != nil {
					return errors.Join(err, stageErr)
				}
				if err := f.Publish(context.Background()); err != nil {
					return err
				}
				if err := s.Remove(context.Background(), name); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
	Holds(t, s, map[string]string{})
}

func testCancelled(t *testing.T, s store.Store) {
	Publish(t, s, map[string]string{"a": "a"})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Remove(ctx, "a"); !errors.Is(err, context.Canceled) {
		t.Errorf("remove: %v", err)
	}
	if _, err := s.Sizes(ctx, "a"); !errors.Is(err, context.Canceled) {
		t.Errorf("sizes: %v", err)
	}
	var last error
	for _, err := range s.List(ctx, "") {
		last = err
	}
	if !errors.Is(last, context.Canceled) {
		t.Errorf("list: %v", last)
	}
	Holds(t, s, map[string]string{"a": "a"})
}

func testReadBack(t *testing.T, s store.Store) {
	const contents = "0123456789"
	Publish(t, s, map[string]string{"a": contents})
	c, err := s.Open(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	if c.Size() != int64(len(contents)) {
		t.Errorf("size %d", c.Size())
	}
	for _, test := range []struct {
		at   int64
		n    int
		want string
		err  error
	}{{0, 10, contents, nil}, {3, 4, "3456", nil}, {8, 4, "89", io.EOF}, {10, 1, "", io.EOF}, {0, 1, "0", nil}} {
		p := make([]byte, test.n)
		n, err := c.ReadAt(p, test.at)
		if err == io.EOF && n == len(p) { // io.ReaderAt allows both
			err = nil
		}
		if string(p[:n]) != test.want || err != test.err {
			t.Errorf("%d bytes at %d: %q, %v; want %q, %v", test.n, test.at, p[:n], err, test.want, test.err)
		}
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

func testNames(t *testing.T, s store.Store) {
	files := map[string]string{
		"_traces/boot.json": "1",
		"events/Micro-soft.Win_x/2/trace=a.b/part-00000.parquet": "2",
		"t/trace=it's [a] %41+b #~$&;!@,()/part 0.parquet":       "3",
		"t/trace=\u00e4\u4e2d/part.parquet":                      "4",
	}
	Publish(t, s, files)
	Holds(t, s, files)
	if err := s.Remove(t.Context(), slices.Collect(maps.Keys(files))...); err != nil {
		t.Error(err)
	}
	Holds(t, s, map[string]string{})
}
