package repeats

import "slices"

// repeatHash returns a number for a repeat and something in it.
func repeatHash(repeat int, what uint64) uint64 {
	h := uint64(repeat)*0x9e3779b97f4a7c15 ^ what*0xd6e8feb86659fd93
	h = (h ^ h>>32) * 0xff51afd7ed558ccd
	h = (h ^ h>>29) * 0xc4ceb9fe1a85ec53
	return h ^ h>>32
}

// changer applies changes for one repeat.
type changer struct {
	repeat int
	chars  [256]byte // what a character becomes
	mask   [16]byte  // of GUIDs
}

// begin prepares the changes of a repeat. The first repeat has none.
func (c *changer) begin(repeat int) {
	c.repeat = repeat
	for i := range c.chars {
		c.chars[i] = byte(i)
	}
	for i := range c.mask {
		c.mask[i] = byte(repeatHash(repeat, uint64(i)))
	}
	var letters [26]byte
	var digits [10]byte
	c.permute(letters[:], 1)
	c.permute(digits[:], 2)
	for i, to := range letters {
		c.chars['a'+i], c.chars['A'+i] = 'a'+to, 'A'+to
	}
	for i, to := range digits {
		c.chars['0'+i] = '0' + to
	}
}

// permute fills a list with its indexes in an order that depends on the repeat.
func (c *changer) permute(list []byte, seed uint64) {
	for i := range list {
		list[i] = byte(i)
	}
	for i := len(list) - 1; i > 0; i-- {
		j := int(repeatHash(c.repeat, seed<<32|uint64(i)) % uint64(i+1))
		list[i], list[j] = list[j], list[i]
	}
}

// apply changes a field of a buffer. number is the number of the buffer; number and position
// identify a list.
func (c *changer) apply(data []byte, v variation, number int) {
	field := data[v.from:v.to]
	switch v.change {
	case changeText8:
		for i, b := range field {
			field[i] = c.chars[b]
		}
	case changeText16:
		for i := 0; i+1 < len(field); i += 2 {
			if field[i+1] == 0 {
				field[i] = c.chars[field[i]]
			}
		}
	case changeGUID:
		c.guids(field)
	case change32:
		for ; len(field) >= 4; field = field[4:] {
			le.PutUint32(field, uint32(c.address(uint64(le.Uint32(field)))))
		}
	case change64:
		for ; len(field) >= 8; field = field[8:] {
			le.PutUint64(field, c.address(le.Uint64(field)))
		}
	case changeID:
		v := le.Uint32(field)
		const low = 1<<24 - 1 // the highest byte of a token is its kind
		if v > low {
			le.PutUint32(field, v&^low|(v+uint32(repeatHash(c.repeat, 3)))&low)
		}
	case changeList16, changeList32:
		c.numbers(field, v.change, repeatHash(c.repeat, uint64(number)<<32|uint64(v.from)))
	}
}

// guids changes GUIDs that are not all zeros.
func (c *changer) guids(field []byte) {
	for ; len(field) >= len(c.mask); field = field[len(c.mask):] {
		if [16]byte(field) == ([16]byte{}) {
			continue
		}
		for i, m := range c.mask {
			field[i] ^= m
		}
	}
}

// The shifts of addresses from one repeat to the next. All addresses of a module move by the same
// amount. Addresses beyond 4 GiB get separate ranges for 500 repeats; addresses in the upper half
// move down, so that none leaves its half.
const (
	least       = 1 << 16 // smaller numbers are not addresses
	narrow      = 1 << 32
	middle      = 1 << 43
	narrowShift = 0x110000
	wideShift   = 1 << 33
	ranges      = 512
)

// address moves an address, or another large number.
func (c *changer) address(v uint64) uint64 {
	k := uint64(c.repeat % ranges)
	switch {
	case v < least:
		return v
	case v < narrow:
		return (v + k*narrowShift) % narrow
	case v < middle:
		return v + k*wideShift
	}
	return v - k*wideShift
}

// numbers moves the elements of a list by the same small amount. Small and very large elements
// have special meanings, and stay.
func (c *changer) numbers(field []byte, width change, hash uint64) {
	by := uint32(hash % 64)
	if width == changeList16 {
		for ; len(field) >= 2; field = field[2:] {
			if v := le.Uint16(field); v >= 16 && v < 1<<15 {
				le.PutUint16(field, v+uint16(by))
			}
		}
		return
	}
	for ; len(field) >= 4; field = field[4:] {
		if v := le.Uint32(field); v >= 16 && v < 1<<31 {
			le.PutUint32(field, v+by)
		}
	}
}

// jitter stretches time inside a repeat: each interval between two events grows by its own share,
// up to a half. It keeps the order of times, and distinct times distinct, so that stacks still
// match their events.
type jitter struct {
	times []int64 // of events, in order
	grown []int64 // by time: the growth of all intervals before it
}

// newJitter returns the jitter of events at these times, which it sorts.
func newJitter(times []int64) *jitter {
	slices.Sort(times)
	times = slices.Clip(slices.Compact(times))
	return &jitter{times: times, grown: make([]int64, len(times))}
}

// most returns the maximum growth of a repeat of a length.
func (j *jitter) most(length int64) int64 { return length/2 + int64(len(j.times)) + 1 }

// begin prepares a repeat. The first one does not vary.
func (j *jitter) begin(repeat int) {
	if repeat == 0 {
		return
	}
	for i := 1; i < len(j.times); i++ {
		h := repeatHash(repeat, uint64(i)|1<<40)
		j.grown[i] = j.grown[i-1] + scaled(j.times[i]-j.times[i-1], h%128, h>>32%256)
	}
}

// scaled returns a share, in 256ths, of n. rest, less than one, is added before rounding down.
func scaled(n int64, share, rest uint64) int64 {
	return n>>8*int64(share) + (n&0xff*int64(share)+int64(rest))>>8
}

// later returns the delay of a time by the jitter.
func (j *jitter) later(t int64) int64 {
	i, found := slices.BinarySearch(j.times, t)
	if !found {
		i--
	}
	if i < 0 {
		return 0
	}
	return j.grown[i]
}
