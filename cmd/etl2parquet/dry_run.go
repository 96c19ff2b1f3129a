package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/etl2parquet/etl2parquet/convert"
	"github.com/etl2parquet/etl2parquet/internal/bytesize"
)

// list prints what would be converted, and under which names.
func (c *conversion) list(ctx context.Context, s *source, in *inputs) error {
	if err := c.load(ctx); err != nil {
		return err
	}
	if err := c.begin(ctx, s, in); err != nil {
		return err
	}
	found := 0
	s.fail = c.fail
	s.visit = func(t *trace) error {
		defer t.close() // only its name was needed; nothing can be lost
		name, err := c.name(ctx, t)
		if err != nil {
			s.fail(t.in, t.name(), err)
			return nil
		}
		what, size := "convert", "-"
		if t.size >= 0 {
			size = bytesize.Round(t.size)
		}
		report, err := c.dataset.Converted(ctx, t.input(), name, c.options)
		var different *convert.DifferentError
		switch {
		case errors.As(err, &different):
			what = "refuse"
			s.fail(t.in, t.name(), err)
		case err != nil:
			return outputError(c.flags.output, err)
		case report != nil:
			what = "skip"
		}
		if err == nil {
			found++
		}
		fmt.Fprintf(c.app.out, "%-7s  %10s  %s  %s\n", what, size, name, printable(t.name()))
		return nil
	}
	if err := s.each(ctx, in.files); err != nil {
		return err
	}
	return resultOf(ctx, found, c.report.failed())
}
