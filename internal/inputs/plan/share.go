package plan

import (
	"cmp"
	"slices"
)

// Share assigns each input, or group of inputs, to a shard: the largest first, always to the
// shard with the least load.
func (p *Plan) Share() {
	p.Inputs = slices.DeleteFunc(p.Inputs, func(in File) bool { return len(in.Traces) == 0 })
	order := p.parts()
	slices.SortStableFunc(order, func(a, b *part) int { return cmp.Compare(b.weight, a.weight) })
	shards := make(loads, p.Shards)
	for i := range shards {
		shards[i].shard = i
	}
	for _, in := range order { // the shard with the least load is on top of the heap
		for _, f := range in.files {
			f.Shard = shards[0].shard
		}
		shards.add(in.weight)
	}
}

// part is a set of inputs that go to one shard.
type part struct {
	files  []*File
	weight int64
}

// parts returns the groups of inputs, and single inputs without a group, in input order.
func (p *Plan) parts() []*part {
	var list []*part
	of := make(map[int]*part)
	for i := range p.Inputs {
		in := &p.Inputs[i]
		x := of[in.group]
		if x == nil || in.group == 0 {
			x = new(part)
			of[in.group] = x
			list = append(list, x)
		}
		x.files = append(x.files, in)
		x.weight += in.weight
	}
	return list
}

// loads is a heap of the loads of shards.
type loads []load

type load struct {
	weight int64
	shard  int
}

func (l loads) less(i, j int) bool {
	return cmp.Or(cmp.Compare(l[i].weight, l[j].weight), cmp.Compare(l[i].shard, l[j].shard)) < 0
}

// add adds to the least load and restores the heap.
func (l loads) add(weight int64) {
	l[0].weight += weight
	for at := 0; ; {
		least := at
		for child := 2*at + 1; child <= 2*at+2 && child < len(l); child++ {
			if l.less(child, least) {
				least = child
			}
		}
		if least == at {
			return
		}
		l[at], l[least] = l[least], l[at]
		at = least
	}
}

// Extremes returns the least and the largest load of a shard, in bytes of traces.
func (p *Plan) Extremes() (least, most int64) {
	weights := make([]int64, p.Shards)
	for i := range p.Inputs {
		weights[p.Inputs[i].Shard] += p.Inputs[i].weight - perTrace*int64(len(p.Inputs[i].Traces))
	}
	least = weights[0]
	for _, w := range weights {
		least, most = min(least, w), max(most, w)
	}
	return least, most
}
