package attribution

// texts is a pool of texts, in which equal texts share memory.
type texts struct {
	limit   int64 // bytes
	bytes   int64
	dropped int64
	shared  map[string]string
}

func newTexts(limit int64) texts { return texts{limit: limit, shared: make(map[string]string)} }

// textOverhead is the approximate memory of a text in addition to its bytes.
const textOverhead = 48

// share returns the text of the pool that equals s, or "" if the pool is full.
func (t *texts) share(s string) string {
	if s == "" {
		return ""
	}
	if shared, ok := t.shared[s]; ok {
		return shared
	}
	if t.bytes+int64(len(s)) > t.limit {
		t.dropped++
		return ""
	}
	t.bytes += int64(len(s)) + textOverhead
	t.shared[s] = s
	return s
}

func (t *texts) shareAll(list ...*string) {
	for _, text := range list {
		*text = t.share(*text)
	}
}
