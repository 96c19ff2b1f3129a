package cab

import (
	"errors"
	"fmt"
)

// Code lengths are themselves coded with a tree (the pretree), as differences to those of the
// previous block.
const (
	preSymbols    = 20
	preLengthBits = 4
	preZeros      = 17 // 4 to 19 zeros
	preMoreZeros  = 18 // 20 to 51 zeros
	preSame       = 19 // 4 or 5 times the length that follows
	lengthModulus = maxCodeLength + 1
	maxDifference = 16
)

var errLengths = errors.New("code lengths beyond the end of their tree")

// readTrees reads the main tree, in two parts, and the length tree.
func (d *lzx) readTrees() error {
	main := d.mainLengths[:literals+8*d.slots]
	for _, part := range [][]uint8{main[:literals], main[literals:]} {
		if err := d.readLengths(part); err != nil {
			return fmt.Errorf("main tree: %w", err)
		}
	}
	if err := d.main.build(main); err != nil {
		return fmt.Errorf("main tree: %w", err)
	}
	if err := d.readLengths(d.lengthLengths[:]); err != nil {
		return fmt.Errorf("length tree: %w", err)
	}
	if err := d.length.build(d.lengthLengths[:]); err != nil {
		return fmt.Errorf("length tree: %w", err)
	}
	if d.in.short() {
		return errInputEnds
	}
	return nil
}

// readLengths reads the differences to the given code lengths.
func (d *lzx) readLengths(lengths []uint8) error {
	var pre [preSymbols]uint8
	for i := range pre {
		pre[i] = uint8(d.in.read(preLengthBits))
	}
	if err := d.pre.build(pre[:]); err != nil {
		return fmt.Errorf("pretree: %w", err)
	}
	for i := 0; i < len(lengths); {
		symbol, err := d.pre.read(&d.in)
		if err != nil {
			return fmt.Errorf("pretree: %w", err)
		}
		count, length := 1, uint8(0)
		switch symbol {
		case preZeros:
			count = 4 + int(d.in.read(4))
		case preMoreZeros:
			count = 20 + int(d.in.read(5))
		case preSame:
			count = 4 + int(d.in.read(1))
			if symbol, err = d.pre.read(&d.in); err != nil {
				return fmt.Errorf("pretree: %w", err)
			}
			if symbol > maxDifference {
				return errLengths
			}
			fallthrough
		default:
			length = (lengths[i] + lengthModulus - uint8(symbol)) % lengthModulus
		}
		if count > len(lengths)-i {
			return errLengths
		}
		for range count {
			lengths[i] = length
			i++
		}
	}
	return nil
}
