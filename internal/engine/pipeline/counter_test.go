package pipeline

import (
	"os"
	"testing"
)

// TestCounter checks that a counter and the index agree on the rows of each table.
func TestCounter(t *testing.T) {
	path := "../../../testdata/sample.etl"
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	s, err := OpenSource(t.Context(), Input{Name: path, Size: info.Size(), Trace: file}, &Options{Workers: 2, Memory: DefaultMemory})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var counted Counter
	if _, err := s.Rows(t.Context(), &Options{Workers: 2, Memory: DefaultMemory}, &counted); err != nil {
		t.Fatal(err)
	}
	for _, table := range s.Tables()[1:] { // without the table of all events, which is not selected
		if got := counted.Rows(table.Name); got != table.Rows && table.Rows >= 0 || got == 0 && table.Rows > 0 {
			t.Errorf("%s: %d rows counted, want %d", table.Name, got, table.Rows)
		}
	}
	if got := counted.Rows("no such table"); got != 0 {
		t.Errorf("%d rows of an unknown table", got)
	}
}
