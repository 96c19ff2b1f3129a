package interop

import "testing"

// StreamQuestion names an Arrow stream and a Parquet file of the same rows.
type StreamQuestion struct {
	Stream  string `json:"stream"`
	File    string `json:"file"`    // "": the stream is only read
	Without string `json:"without"` // a column that only the file has

	Computed []string `json:"computed"` // columns that only the stream has
}

// StreamAnswer is pyarrow's comparison of the two.
type StreamAnswer struct {
	Invalid    string          `json:"invalid"` // what is wrong with the stream
	Batches    int             `json:"batches"`
	Rows       [2]int64        `json:"rows"` // of the stream, and of the file
	Schemas    [2]string       `json:"schemas"`
	SameSchema bool            `json:"same_schema"`
	Columns    map[string]bool `json:"columns"` // whether their values are equal
}

// CompareStreams lets pyarrow read streams and files.
func (p *Python) CompareStreams(t *testing.T, questions []StreamQuestion) (answers []StreamAnswer) {
	t.Helper()
	p.Run(t, "compare_arrow.py", questions, &answers)
	return answers
}

// Check fails the test if the stream is invalid, or if the file has other rows.
func (got *StreamAnswer) Check(t *testing.T, name string) {
	t.Helper()
	switch {
	case got.Invalid != "":
		t.Errorf("%s: %s", name, got.Invalid)
	case got.Rows[0] != got.Rows[1]:
		t.Errorf("%s: %d rows in the stream, %d in the file", name, got.Rows[0], got.Rows[1])
	case got.Schemas != [2]string{} && !got.SameSchema: // none without a file
		t.Errorf("%s: the stream has the schema\n%s\nthe file has\n%s", name, got.Schemas[0], got.Schemas[1])
	}
	for column, same := range got.Columns {
		if !same {
			t.Errorf("%s: column %s differs", name, column)
		}
	}
}
