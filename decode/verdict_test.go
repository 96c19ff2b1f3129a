package decode

import "testing"

// TestVerdicts checks each reason for the size of a buffer, and the order in which they are tried.
func TestVerdicts(t *testing.T) {
	const size, far = 0x1000, 0x100000
	for _, test := range []struct {
		name string
		of   doubt
		want verdict
	}{
		{"nothing contradicts it", doubt{claimed: size, events: 0x200, left: far, next: size, usual: size}, verdict{size, nothingElse}},
		{"it ends with the file", doubt{claimed: size, events: 0x200, left: size, next: size, usual: size}, verdict{size, nothingElse}},
		{"another size, and no buffer of the usual one follows", doubt{claimed: size, events: 0x200, left: far, next: size, usual: 2 * size}, verdict{size, nothingElse}},
		{"another buffer begins before its end", doubt{claimed: 4 * size, events: 0x200, left: far, next: size, usual: size}, verdict{size, nextBegins}},
		{"and one byte before", doubt{claimed: size + 1, events: 0x200, left: far, next: size, usual: size}, verdict{size, nextBegins}},
		{"and one without a good header between them", doubt{claimed: 4 * size, events: 0x200, left: far, next: 2 * size, usual: size}, verdict{size, nextBegins}},
		{"but its events need more than the usual size", doubt{claimed: 4 * size, events: size + 8, left: far, next: 2 * size, usual: size}, verdict{2 * size, nextBegins}},
		{"its events take all of the usual size", doubt{claimed: 4 * size, events: size, left: far, next: 2 * size, usual: size}, verdict{size, nextBegins}},
		{"no usual size is known", doubt{claimed: 4 * size, left: far, next: 2 * size}, verdict{2 * size, nextBegins}},
		{"the file ends before its end", doubt{claimed: 4 * size, events: 0x200, left: size, next: size, usual: 4 * size}, verdict{size, fileEnds}},
		{"another buffer begins before the file ends", doubt{claimed: 4 * size, events: 0x200, left: 3 * size, next: 2 * size, usual: 4 * size}, verdict{2 * size, nextBegins}},
		{"its own fill follows", doubt{claimed: size, events: 0x200, left: far, next: size, usual: 2 * size, isFilled: true}, verdict{2 * size, fillFollows}},
	} {
		if got := test.of.judge(); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}

// TestVerdictsOfGaps checks bytes without a good header.
func TestVerdictsOfGaps(t *testing.T) {
	const size = 0x1000
	least := int64(BufferHeaderSize + minEventSize)
	for _, test := range []struct {
		name string
		of   gap
		want verdict
	}{
		{"events follow the header", gap{next: size, usual: size, holdsEvents: true}, verdict{size, holdsEvents}},
		{"nothing follows it", gap{next: size, usual: size}, verdict{size, noBuffer}},
		{"several buffers are damaged", gap{next: 3 * size, usual: size, usualEnds: true, holdsEvents: true}, verdict{size, holdsEvents}},
		{"no buffer ends at the usual size", gap{next: 3*size + 8, usual: size, holdsEvents: true}, verdict{3*size + 8, holdsEvents}},
		{"the usual size is damaged", gap{next: size, usual: 8, usualEnds: true, holdsEvents: true}, verdict{size, holdsEvents}},
		{"the smallest buffer", gap{next: least, holdsEvents: true}, verdict{least, holdsEvents}},
		{"too small", gap{next: least - 1, holdsEvents: true}, verdict{least - 1, noBuffer}},
		{"the largest buffer", gap{next: MaxBufferSize, holdsEvents: true}, verdict{MaxBufferSize, holdsEvents}},
		{"too large", gap{next: MaxBufferSize + 1, holdsEvents: true}, verdict{MaxBufferSize + 1, noBuffer}},
	} {
		if got := test.of.judge(); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}
