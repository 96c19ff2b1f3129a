package fileid

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestOf changes a file in ways that its size and time of modification do not show.
func TestOf(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	at := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	write := func(name, text string) {
		t.Helper()
		testenv.WriteFile(t, name, text)
		if err := os.Chtimes(name, at, at); err != nil {
			t.Fatal(err)
		}
	}
	id := func() ID {
		t.Helper()
		id, err := Of(path)
		if errors.Is(err, errors.ErrUnsupported) {
			t.Skip("this system has no ids of files")
		}
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	write(path, "a")
	first := id()
	if again := id(); again != first || again.String() != first.String() {
		t.Errorf("two ids of an unchanged file: %v, %v", &first, &again)
	}
	if first.IsSettled(time.Now()) || !first.IsSettled(time.Unix(0, first.Changed).Add(settleTime)) {
		t.Error("a file that has just changed is settled, or one that has not is not")
	}
	for deadline := time.Now().Add(time.Minute); ; { // until the clock of the file system has gone on
		write(path, "b")
		if second := id(); second.String() != first.String() {
			if second.Size != first.Size || second.Modified != first.Modified {
				t.Errorf("size or time differ: %v, %v", &first, &second)
			}
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("a change in place does not change the id")
		}
	}
	before := id()
	write(path+"2", "c")
	if err := os.Rename(path+"2", path); err != nil {
		t.Fatal(err)
	}
	if after := id(); after == before {
		t.Error("another file in its place has the same id")
	}
	if _, err := Of(path + "3"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}
