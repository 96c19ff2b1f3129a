package attribution

// A fact has a number of one of two types, so that the compiler finds numbers that are mixed up. A
// worker numbers the facts that it finds. When the builder adopts the worker's blocks, their facts
// get the numbers of a list; see [numbers.fact]. Texts are the same, with workerText and Text.
type (
	listFact   uint32 // in a list of the builder
	workerFact uint32 // of a worker, counted through all of its sequences of buffers
)

// numbered holds facts by number. Each block starts at a multiple of factBlock. Blocks that workers
// have filled need not be full, so some numbers are unused.
type numbered[T any] struct{ blocks [][]T }

const (
	factBlock  = 1 << 7
	firstFacts = 1 << 4 // room in the first block of a list, as most traces have few of most things
)

func (n *numbered[T]) at(i listFact) *T { return &n.blocks[i/factBlock][i%factBlock] }

// end returns a number that is greater than those of all facts.
func (n *numbered[T]) end() listFact { return listFact(len(n.blocks)) * factBlock }

func (n *numbered[T]) len() (facts int) {
	for _, block := range n.blocks {
		facts += len(block)
	}
	return facts
}

// push adds a fact, and returns its number. It may move the facts of the same block.
func (n *numbered[T]) push(v T) listFact {
	last := len(n.blocks) - 1
	if last < 0 || len(n.blocks[last]) == factBlock {
		room := factBlock
		if last++; last == 0 {
			room = firstFacts
		}
		n.blocks = append(n.blocks, make([]T, 0, room))
	}
	n.blocks[last] = append(n.blocks[last], v)
	return listFact(last*factBlock + len(n.blocks[last]) - 1)
}
