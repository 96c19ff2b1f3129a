package store_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/internal/lake/store"
	"github.com/etl2parquet/etl2parquet/internal/lake/store/storetest"
)

// TestMemory checks that the store in memory fulfils the contract of all stores.
func TestMemory(t *testing.T) {
	storetest.Run(t, func(*testing.T) store.Store { return new(storetest.Memory) })
}

// TestMemoryCrash checks what a crash leaves: of publications that were not synced, all or none.
func TestMemoryCrash(t *testing.T) {
	m := new(storetest.Memory)
	storetest.Publish(t, m, map[string]string{"a": "old"})
	if err := m.Sync(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	storetest.Publish(t, m, map[string]string{"a": "new", "b": "first"})
	storetest.Stage(t, m, "c", "staged")
	m.FailAt(func(operation string) error {
		if operation == "remove b" {
			return storetest.ErrEnded
		}
		return nil
	})
	for _, err := range []error{m.Remove(context.Background(), "b"), m.Sync(context.Background(), "a")} {
		if !errors.Is(err, storetest.ErrEnded) {
			t.Errorf("error %v", err)
		}
	}
	storetest.Holds(t, m.Crash(true), map[string]string{"a": "old"})
	kept := m.Crash(false)
	storetest.Holds(t, kept, map[string]string{"a": "new", "b": "first"})
	if left, err := kept.Leftovers(t.Context()); err != nil || len(left) != 1 || left[0].Name != "c" {
		t.Errorf("left over: %+v, %v", left, err)
	}
	want := []string{"create a", "stage a", "publish a", "sync a", "create a", "stage a", "publish a", "create b", "stage b", "publish b", "create c", "stage c"}
	if got := m.Log(); len(got) != len(want) {
		t.Error(cmp.Diff(want, got))
	}
}
