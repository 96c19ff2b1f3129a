package pdbtest

import (
	"encoding/binary"
	"slices"
)

const (
	magic          = "Microsoft C/C++ MSF 7.00\r\n\x1aDS\x00\x00\x00"
	directoryMapAt = 0x34
)

// writer lays streams out in blocks.
type writer struct {
	blockSize int
	gap       int
	file      []byte
}

// container returns a file with these streams. The blocks of each stream are in reverse order at
// its end, so that a reader has to follow their numbers.
func container(blockSize, gap int, streams [][]byte) []byte {
	w := writer{blockSize: blockSize, gap: gap, file: make([]byte, 3*blockSize)} // the superblock and two maps of free blocks
	directory := put(nil, uint32(len(streams)))
	for _, s := range streams {
		directory = put(directory, uint32(len(s)))
	}
	for _, s := range streams {
		directory = put(directory, w.add(s))
	}
	list := put(nil, w.add(directory))
	directoryMap := put(nil, w.add(list))
	head := put([]byte(magic), uint32(blockSize), uint32(1), uint32(len(w.file)/blockSize+gap), uint32(len(directory)), uint32(0), directoryMap)
	if len(head) > blockSize || directoryMapAt+len(directoryMap) != len(head) {
		panic("the directory is too large for blocks of this size")
	}
	copy(w.file, head)
	return w.file
}

// add writes a stream and returns the numbers of its blocks.
func (w *writer) add(s []byte) []uint32 {
	first := len(w.file) / w.blockSize
	count := (len(s) + w.blockSize - 1) / w.blockSize
	w.file = append(w.file, make([]byte, count*w.blockSize)...)
	numbers := make([]uint32, count)
	for i := range numbers {
		numbers[i] = uint32(w.gap + first + i)
	}
	if count > 2 {
		slices.Reverse(numbers[count-2:])
	}
	for i, number := range numbers {
		copy(w.file[(int(number)-w.gap)*w.blockSize:][:w.blockSize], s[i*w.blockSize:])
	}
	return numbers
}

// Position returns the position in the file of the byte at an offset of a stream, for tests that
// damage it.
func Position(file []byte, stream, offset int) int {
	u32 := func(at int) int { return int(binary.LittleEndian.Uint32(file[at:])) }
	blockSize := u32(0x20)
	block := func(list func(i int) int, at int) int { return list(at/blockSize)*blockSize + at%blockSize }
	inMap := func(i int) int { return u32(directoryMapAt + 4*i) }
	inList := func(i int) int { return u32(block(inMap, 4*i)) }
	inDirectory := func(at int) int { return u32(block(inList, at)) }
	count := inDirectory(0)
	first := 1 + count
	for i := range stream {
		first += (inDirectory(4+4*i) + blockSize - 1) / blockSize
	}
	return block(func(i int) int { return inDirectory(4 * (first + i)) }, offset)
}
