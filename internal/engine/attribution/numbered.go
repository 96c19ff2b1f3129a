package attribution

// numbered holds facts by number. Each block starts at a multiple of factBlock. Blocks that workers
// have filled need not be full, so some numbers are unused.
type numbered[T any] struct{ blocks [][]T }

const (
	factBlock  = 1 << 7
	firstFacts = 1 << 4 // room in the first block of a list, as most traces have few of most things
)

func (n *numbered[T]) at(i uint32) *T { return &n.blocks[i/factBlock][i%factBlock] }

// end returns a number that is greater than those of all facts.
func (n *numbered[T]) end() uint32 { return uint32(len(n.blocks)) * factBlock }

func (n *numbered[T]) len() (facts int) {
	for _, block := range n.blocks {
		facts += len(block)
	}
	return facts
}

// push adds a fact, and returns its number. It may move the facts of the same block.
func (n *numbered[T]) push(v T) uint32 {
	last := len(n.blocks) - 1
	if last < 0 || len(n.blocks[last]) == factBlock {
		room := factBlock
		if last++; last == 0 {
			room = firstFacts
		}
		n.blocks = append(n.blocks, make([]T, 0, room))
	}
	n.blocks[last] = append(n.blocks[last], v)
	return uint32(last*factBlock + len(n.blocks[last]) - 1)
}

// cut removes the facts numbered end and above.
func (n *numbered[T]) cut(end uint32) {
	n.blocks = n.blocks[:(end+factBlock-1)/factBlock]
	if rest := end % factBlock; rest > 0 {
		n.blocks[len(n.blocks)-1] = n.blocks[len(n.blocks)-1][:rest]
	}
}
