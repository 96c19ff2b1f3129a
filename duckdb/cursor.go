package main

// #include "bridge.h"
import "C"

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// cursor is the position of a thread in a scan.
type cursor struct {
	begun  bool
	unit   *unit
	reader array.RecordReader // nil if the unit needs none
	batch  arrow.RecordBatch  // of the reader
	at     int                // index of the next row in batch
	left   int64              // remaining rows, if only their number is needed
}

func vectorSize() int { return int(C.api_vector_size()) }

// fill fills a chunk with the next rows; after the last row it leaves the chunk empty.
func (c *cursor) fill(s *scan, chunk C.duckdb_data_chunk) error {
	if !c.begun {
		c.begun = true
		s.begin()
	}
	n, err := c.next(s)
	if err != nil {
		return err
	}
	if n > 0 {
		for i, from := range c.unit.from {
			v := C.api_vector(chunk, C.idx_t(i))
			switch {
			case c.unit.fixed != nil:
				err = fillVector(v, c.batch.Column(from), c.at, n, nil, 1)
			case from >= 0:
				err = fillVector(v, c.batch.Column(from), c.at, n, nil, s.of.scale())
			case from == traceColumn:
				err = fillText(v, c.unit.name, n)
			case from == filenameColumn:
				err = fillText(v, c.unit.trace.name, n)
			}
			if err != nil {
				return err
			}
		}
	}
	c.at += n
	C.api_set_size(chunk, C.idx_t(n))
	return nil
}

// next returns the number of rows that can be copied next, 0 at the end.
func (c *cursor) next(s *scan) (int, error) {
	for {
		switch {
		case c.left > 0:
			n := min(c.left, int64(vectorSize()))
			c.left -= n
			return int(n), nil
		case c.batch != nil && c.at < int(c.batch.NumRows()):
			return min(int(c.batch.NumRows())-c.at, vectorSize()), nil
		case c.reader != nil && c.reader.Next():
			c.batch, c.at = c.reader.RecordBatch(), 0
			continue
		case c.reader != nil && c.reader.Err() != nil:
			return 0, named(c.unit.trace.name, c.reader.Err())
		}
		if c.unit != nil && c.unit.trace != nil {
			if err := s.of.checkDamage(c.unit.trace); err != nil {
				return 0, err
			}
		}
		c.close()
		u, err := s.take()
		if u == nil {
			return 0, err
		}
		if err := c.open(s, u); err != nil {
			return 0, err
		}
	}
}

// open begins to read a unit.
func (c *cursor) open(s *scan, u *unit) (err error) {
	c.unit = u
	switch {
	case u.fixed != nil:
		c.batch, c.at = u.fixed, 0
	case u.countsRows(s.of):
		c.left = u.table.Rows
	default:
		if c.reader, err = u.trace.Scan(s.ctx, u.scan); err != nil {
			return named(u.trace.name, err)
		}
	}
	return nil
}

// close implements closer: it stops reading the unit.
func (c *cursor) close() {
	c.batch = nil
	if c.reader != nil {
		c.reader.Release()
		c.reader = nil
	}
	if c.unit != nil {
		c.unit.close()
		c.unit = nil
	}
}
