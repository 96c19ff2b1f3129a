package answers

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
)

// column is a column of a result.
type column struct {
	Name string `json:"column_name"`
	Type string `json:"column_type"` // in DuckDB's spelling
}

// readColumns reads the columns from a file of JSON lines.
func readColumns(path string) ([]column, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() // only read, so an error does not matter
	var columns []column
	for d := json.NewDecoder(f); ; {
		var c column
		switch err := d.Decode(&c); {
		case errors.Is(err, io.EOF):
			return columns, nil
		case err != nil:
			return nil, fmt.Errorf("read the types of the columns: %w", err)
		}
		columns = append(columns, c)
	}
}

// isNumber reports whether the values of the column are numbers.
func (c *column) isNumber() bool {
	kind, _, _ := strings.Cut(c.Type, "(")
	switch kind {
	case "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT", "FLOAT", "DOUBLE", "DECIMAL", "BIGNUM":
		return true
	}
	return false
}

// kind returns the kind of the column in a table.
func (c *column) kind() texts.TableKind {
	switch {
	case c.isNumber():
		return texts.NumberColumn
	case strings.HasPrefix(c.Type, "TIMESTAMP") && !strings.HasSuffix(c.Type, "]"):
		return texts.TimeColumn
	}
	return texts.TextColumn
}

// writeTable writes a result as a table for people.
func writeTable(w io.Writer, result io.Reader, columns []column, o texts.TableOptions) error {
	var shown []texts.TableColumn
	for i := range columns {
		shown = append(shown, texts.TableColumn{Name: columns[i].Name, Kind: columns[i].kind()})
	}
	out := texts.NewTable(w, shown, o)
	err := eachRow(result, func(values [][]byte) error {
		cells, err := cellsOf(values, columns)
		if err != nil {
			return err
		}
		return out.Add(cells)
	})
	if err != nil {
		return err
	}
	return out.Close()
}

// cellsOf returns the cells of a row as text.
func cellsOf(values [][]byte, columns []column) ([]texts.TableCell, error) {
	if len(values) != len(columns) {
		return nil, errCut
	}
	cells := make([]texts.TableCell, len(values))
	for i, value := range values {
		if bytes.Equal(value, null) {
			cells[i] = texts.TableCell{Text: "NULL", IsNull: true}
			continue
		}
		text, err := plainText(value)
		if err != nil {
			return nil, err
		}
		if columns[i].Type == "FLOAT" {
			if v, err := strconv.ParseFloat(text, 64); err == nil {
				text = strconv.FormatFloat(v, 'g', -1, 32)
			}
		}
		cells[i].Text = text
	}
	return cells, nil
}
