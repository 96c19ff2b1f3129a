package catalog

import (
	"errors"

	"github.com/etl2parquet/etl2parquet/decode"
)

// errSnapshot is the error for a snapshot that cannot come from an index pass.
var errSnapshot = errors.New("the kinds of event contradict themselves")

// Restore completes a Learned that was read from a snapshot.
func (l *Learned) Restore() error {
	for _, n := range []*interner{&l.metadata, &l.records} {
		list := n.list
		n.list = nil
		for _, s := range list {
			if n.numbers[s] > 0 {
				return errSnapshot
			}
			n.add(s)
		}
	}
	for _, record := range l.records.list {
		if record == "" {
			return errSnapshot
		}
	}
	if !l.manifests.Consistent() {
		return errSnapshot
	}
	return nil
}

// Restore fills a new merger with the kinds of a snapshot, whose descriptions are in l.
func (m *TypeMerger) Restore(list []EventType, unlisted Unlisted, l *Learned) error {
	m.Init(0)
	m.Unlisted = unlisted
	for i := range list {
		t := &list[i]
		if int64(t.Meta) > int64(len(l.metadata.list)) || int(t.Family) >= decode.Families || m.lookup(&t.Key) >= 0 {
			return errSnapshot
		}
		place := m.Place(&t.Key)
		if place < 0 {
			return errSnapshot
		}
		to := &m.List[place]
		*to = *t
		to.Bits = t.Key.Bits()
	}
	return nil
}
