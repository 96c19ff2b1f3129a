package etltest

import (
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"time"
)

// number evaluates an integer expression of numbers in any Go notation,
// + - * / % and brackets. The result must fit in bits, signed or unsigned;
// negative values are returned in two's complement of 64 bits.
func number(s string, bits int) (uint64, error) {
	e := expression{rest: s}
	v, err := e.sum(0)
	if err == nil && e.rest != "" {
		err = fmt.Errorf("unexpected %q", e.rest)
	}
	if err != nil {
		return 0, fmt.Errorf("bad number %q: %w", s, err)
	}
	low := new(big.Int).Neg(new(big.Int).Lsh(big.NewInt(1), uint(bits-1)))
	high := new(big.Int).Lsh(big.NewInt(1), uint(bits))
	if v.Cmp(low) < 0 || v.Cmp(high) >= 0 {
		return 0, fmt.Errorf("%s does not fit in %d bits", v, bits)
	}
	if v.Sign() < 0 {
		return uint64(v.Int64()), nil
	}
	return v.Uint64(), nil
}

// expression is the unread rest of an expression.
type expression struct{ rest string }

var errNested = errors.New("too deep")

func (e *expression) sum(depth int) (*big.Int, error) {
	if depth > 100 {
		return nil, errNested
	}
	v, err := e.product(depth)
	for err == nil && e.rest != "" && strings.ContainsRune("+-", rune(e.rest[0])) {
		op := e.take()
		var w *big.Int
		if w, err = e.product(depth); err != nil {
			break
		}
		if op == '+' {
			v.Add(v, w)
		} else {
			v.Sub(v, w)
		}
	}
	return v, err
}

func (e *expression) product(depth int) (*big.Int, error) {
	v, err := e.factor(depth)
	for err == nil && e.rest != "" && strings.ContainsRune("*/%", rune(e.rest[0])) {
		op := e.take()
		var w *big.Int
		if w, err = e.factor(depth); err != nil {
			break
		}
		switch {
		case op == '*':
			v.Mul(v, w)
		case w.Sign() == 0:
			err = errors.New("division by zero")
		case op == '/':
			v.Quo(v, w)
		default:
			v.Rem(v, w)
		}
		if err == nil && v.BitLen() > 1024 {
			err = errors.New("too large")
		}
	}
	return v, err
}

func (e *expression) factor(depth int) (*big.Int, error) {
	if depth > 100 {
		return nil, errNested
	}
	switch {
	case strings.HasPrefix(e.rest, "-"):
		e.take()
		v, err := e.factor(depth + 1)
		if err != nil {
			return nil, err
		}
		return v.Neg(v), nil
	case strings.HasPrefix(e.rest, "("):
		e.take()
		v, err := e.sum(depth + 1)
		if err != nil {
			return nil, err
		}
		if !strings.HasPrefix(e.rest, ")") {
			return nil, errors.New("missing )")
		}
		e.take()
		return v, nil
	}
	n := 0
	for n < len(e.rest) && !strings.ContainsRune("+-*/%()", rune(e.rest[n])) {
		n++
	}
	text := e.rest[:n]
	e.rest = e.rest[n:]
	v, ok := new(big.Int).SetString(text, 0)
	if !ok || len(text) > 100 {
		return nil, fmt.Errorf("%q is no number", text)
	}
	return v, nil
}

func (e *expression) take() byte {
	c := e.rest[0]
	e.rest = e.rest[1:]
	return c
}

// setUint reads a number of at most bits bits.
func setUint[T ~uint8 | ~uint16 | ~uint32 | ~uint64](dst *T, s string, bits int) error {
	v, err := number(s, bits)
	*dst = T(v)
	return err
}

// duration reads a sum of Go durations, each with an optional factor: 1ms, +3*15us, -2s+5*1ms.
func duration(s string) (time.Duration, error) {
	rest := s
	negative := strings.HasPrefix(rest, "-")
	if negative || strings.HasPrefix(rest, "+") {
		rest = rest[1:]
	}
	var total time.Duration
	for term := range strings.SplitSeq(rest, "+") {
		factor := int64(1)
		if i := strings.LastIndexByte(term, '*'); i >= 0 {
			v, err := number(term[:i], 32)
			if err != nil {
				return 0, err
			}
			factor, term = int64(v), term[i+1:]
		}
		d, err := time.ParseDuration(term)
		if err != nil {
			return 0, fmt.Errorf("bad duration %q", s)
		}
		total += time.Duration(factor) * d
	}
	if negative {
		total = -total
	}
	return total, nil
}

// time reads a time on the trace's clock: +100us or -1s from the trace's
// start, 2024-05-01T12:00:00Z, or raw ticks.
func (p *parser) time(s string) (int64, error) {
	switch {
	case strings.HasPrefix(s, "+"), strings.HasPrefix(s, "-") && strings.HasSuffix(s, "s"):
		d, err := duration(s)
		return p.trace.Ticks(p.base + d), err
	case strings.Contains(s, ":"):
		t, err := time.Parse(time.RFC3339Nano, s)
		return p.trace.Ticks(t.Sub(p.trace.start())), err
	}
	v, err := number(s, 64)
	return int64(v), err
}

// unquote reads a value that may be quoted as in Go.
func unquote(s string) (string, error) {
	if !strings.HasPrefix(s, `"`) {
		return s, nil
	}
	v, err := strconv.Unquote(s)
	if err != nil {
		return "", fmt.Errorf("bad string %s", s)
	}
	return v, nil
}
