package attribution

import "hash/maphash"

// texts is a pool of texts, in which equal texts share memory.
type texts struct {
	limit   int64 // bytes
	bytes   int64
	dropped int64
	list    []string
	slots   []textSlot // hash table of list: with the hashes, so that growing it reads no text
}

func newTexts(limit int64) texts { return texts{limit: limit, slots: make([]textSlot, firstTextSlots)} }

// textOverhead is the approximate memory of a text in addition to its bytes.
const textOverhead = 48

// share returns the text of the pool that equals s, or "" if the pool is full.
func (t *texts) share(s string) string {
	if s == "" {
		return ""
	}
	hash := uint32(maphash.String(textSeed, s))
	mask := uint32(len(t.slots) - 1)
	at := hash & mask
	for ; t.slots[at].number != 0; at = (at + 1) & mask {
		if t.slots[at].hash != hash {
			continue
		}
		if shared := t.list[t.slots[at].number-1]; shared == s {
			return shared
		}
	}
	if t.bytes+int64(len(s)) > t.limit {
		t.dropped++
		return ""
	}
	t.bytes += int64(len(s)) + textOverhead
	t.list = append(t.list, s)
	t.slots[at] = textSlot{Text(len(t.list)), hash}
	if 2*len(t.list) > len(t.slots) {
		t.slots = grown(t.slots)
	}
	return s
}

func (t *texts) shareAll(list ...*string) {
	for _, text := range list {
		*text = t.share(*text)
	}
}
