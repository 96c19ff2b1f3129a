package recordbatch

import (
	"fmt"

	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
)

// sizes checks that Arrow's offsets can express the ends of all values.
type sizes struct {
	most    int64 // bytes of a column, elements of its lists
	texts   *columns.Texts
	longest int64 // bytes of a text
}

func longest(t *columns.Texts) (n int64) {
	for code := range t.Len() {
		n = max(n, int64(len(t.At(uint32(code)))))
	}
	return n
}

// check returns an error for a column, or a member, whose values are too many or too long.
func (s *sizes) check(c *columns.Column) error {
	if n := int64(c.Elements()); c.Spec.List && n > s.most {
		return fmt.Errorf("column %s has %d elements in the lists of a batch, more than %d", c.Spec.Name, n, s.most)
	}
	if n := s.bytes(c); n > s.most {
		return fmt.Errorf("column %s has %d bytes in a batch, more than %d", c.Spec.Name, n, s.most)
	}
	for i := range c.Members {
		if err := s.check(&c.Members[i]); err != nil {
			return fmt.Errorf("%s: %w", c.Spec.Name, err)
		}
	}
	return nil
}

// bytes returns the size of the texts or binaries of a column, or an upper bound if that is within
// the limit.
func (s *sizes) bytes(c *columns.Column) (n int64) {
	if bound := int64(len(c.Codes)) * s.longest; bound <= s.most {
		return bound + int64(len(c.Bytes)) // a column has only one of the two
	}
	for _, code := range c.Codes {
		n += int64(len(s.texts.At(code)))
	}
	return n
}
