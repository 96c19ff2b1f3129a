package convert

// limits say where row groups and files of tables end. They do not depend on the memory
// that there is, so that the output does not either.
type limits struct {
	waiting int64 // bytes of rows of all tables of a trace that may wait to be row groups
	bundled int64 // the same of a bundle
	large   int64 // uncompressed bytes of a trace whose rows are not all held before they come into a bundle
	held    int64 // encoded bytes of a table of such a trace that are held; beyond, it gets a file of its own
}

var defaultLimits = limits{waiting: 27 << 20, bundled: 32 << 20, large: 48 << 20, held: 2 << 20}

// outputLimits returns the limits, which are lower in tests only.
func (o *Options) outputLimits() *limits {
	if o.lower != nil {
		return o.lower
	}
	return &defaultLimits
}

// memoryForRows returns what slabs and batches may take of the memory. The rest is for the
// events of slabs, encoders, what is kept for use again, and garbage. Half of what the facts
// about the trace take is taken from the rows, and half from the rest.
func memoryForRows(memory, facts int64) int64 { return max(memory*5/16-facts/2, memory/16) }

// memoryPerWorker is what each worker takes beyond the fourth: a slab, its rows and a row
// group that is being encoded.
const memoryPerWorker = 100 << 20

// DefaultMemoryOf returns what a conversion with a number of workers uses at most if
// nothing else is asked. With it, each worker can have a slab of a large trace in hand.
func DefaultMemoryOf(workers int) int64 {
	const few = 4
	return DefaultMemory + memoryPerWorker*int64(max(workers-few, 0))
}
