package export

import "context"

// total is what events have in common whose weights are added up.
type total struct{ thread, stack int32 }

// sum is the number of events and their weight.
type sum struct{ events, weight int64 }

// total reads all events and adds up their weights by a key.
func (p *profile) total(ctx context.Context, by func(s *sample) total) (map[total]sum, error) {
	totals := make(map[total]sum)
	err := p.each(ctx, func(s *sample) error {
		key := by(s)
		t := totals[key]
		t.events++
		t.weight += s.weight
		totals[key] = t
		return nil
	})
	return totals, err
}
