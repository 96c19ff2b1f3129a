package archive_test

import (
	"context"
	"errors"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/inputs/archive"
)

// TestSpace keeps two entries that do not fit into the space together: the second
// waits until the first is closed.
func TestSpace(t *testing.T) {
	in := at("x.zip", zipped(named{"a.etl", "0123456789"}, named{"b.etl", "9876543210"}))
	space := archive.NewSpace(15)
	first := make(chan *archive.File, 1)
	closed := false
	visited := 0
	err := archive.Walk(t.Context(), in, archive.Options{TempDir: t.TempDir(), Space: space}, func(e *archive.Entry, err error) error {
		if err != nil {
			return err
		}
		if visited++; visited == 2 {
			go func() {
				f := <-first
				closed = true
				must(0, f.Close())
			}()
		}
		f, err := e.File()
		if err != nil {
			return err
		}
		if !f.Temporary() || f.Size() != 10 {
			t.Errorf("a file of %d bytes", f.Size())
		}
		if visited == 1 {
			first <- f
			return nil
		}
		if !closed {
			t.Error("the second entry did not wait")
		}
		return f.Close()
	})
	if err != nil || visited != 2 {
		t.Errorf("%d visited, %v", visited, err)
	}
}

// TestSpaceFull checks that an entry does not wait if it is larger than the space,
// or after its context is cancelled.
func TestSpaceFull(t *testing.T) {
	kept := func(e *archive.Entry, err error) error { return keep(t, e, err) }
	content := zipped(named{"a.etl", "0123456789"}, named{"b.etl", "9876543210"})
	var refused *archive.LimitError
	err := archive.Walk(t.Context(), at("x", content), archive.Options{TempDir: t.TempDir(), Space: archive.NewSpace(9)}, kept)
	if !errors.As(err, &refused) || refused.Limit != archive.LimitSpool {
		t.Errorf("an entry larger than the space: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	visited := 0
	err = archive.Walk(ctx, at("x", content), archive.Options{TempDir: t.TempDir(), Space: archive.NewSpace(15)}, func(e *archive.Entry, err error) error {
		if visited++; visited == 2 {
			cancel()
		}
		return kept(e, err)
	})
	if !errors.Is(err, context.Canceled) || visited != 2 {
		t.Errorf("%d visited, %v", visited, err)
	}
}

// keep makes a file of an entry and leaves it open until the test ends.
func keep(t *testing.T, e *archive.Entry, err error) error {
	if err != nil {
		return err
	}
	f, err := e.File()
	if err == nil {
		t.Cleanup(func() { f.Close() }) // Windows keeps a folder with a file in use
	}
	return err
}

// TestSpaceHeld checks that a walk whose files stay open does not wait for their space, and that no
// other walk does.
func TestSpaceHeld(t *testing.T) {
	content := zipped(named{"a.etl", "0123456789"}, named{"b.etl", "9876543210"})
	space := archive.NewSpace(15)
	var held *archive.File
	visit := func(e *archive.Entry, err error) error {
		if err != nil {
			return err
		}
		f, err := e.File()
		if err == nil {
			held = f
		}
		return err
	}
	var refused *archive.LimitError
	err := archive.Walk(t.Context(), at("x", content), archive.Options{TempDir: t.TempDir(), Space: space, Held: true}, visit)
	if !errors.As(err, &refused) || refused.Limit != archive.LimitSpool || held == nil {
		t.Fatalf("held %t, error %v", held != nil, err)
	}
	err = archive.Walk(t.Context(), at("y", content), archive.Options{TempDir: t.TempDir(), Space: space}, func(e *archive.Entry, err error) error { return keep(t, e, err) })
	if !errors.As(err, &refused) {
		t.Errorf("another walk: error %v", err)
	}
	must(0, held.Close())
	visited := 0
	err = archive.Walk(t.Context(), at("z", content), archive.Options{TempDir: t.TempDir(), Space: space}, func(e *archive.Entry, wrong error) error {
		if wrong != nil {
			return wrong
		}
		visited++
		f, err := e.File()
		if err != nil {
			return err
		}
		return f.Close()
	})
	if err != nil || visited != 2 {
		t.Errorf("after it was closed: %d visited, %v", visited, err)
	}
}
