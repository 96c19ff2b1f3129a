package values

import "github.com/etl2parquet/etl2parquet/internal/engine/columns"

// List32 appends a list of the numbers of 32 bits that follow one another in b.
func List32(c *columns.Column, b []byte) {
	for ; len(b) >= 4; b = b[4:] {
		c.Uint64(uint64(le.Uint32(b)))
	}
	c.EndList()
}

// List64 is [List32] for numbers of 64 bits.
func List64(c *columns.Column, b []byte) {
	for ; len(b) >= 8; b = b[8:] {
		c.Uint64(le.Uint64(b))
	}
	c.EndList()
}
