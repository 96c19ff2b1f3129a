package catalog

import (
	"sync"

	"github.com/etl2parquet/etl2parquet/internal/engine/problems"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Inputs are all inputs of a run. What they say about events describes those of the other inputs that nothing
// nearer describes. They are read when the first such event is found. It is safe for use from many goroutines.
type Inputs struct {
	learn func() *Learned

	mu    sync.Mutex
	found *traceDescriptions // nil until they are read
}

// NewInputs returns the inputs from which learn reads the descriptions. It is called at most once.
func NewInputs(learn func() *Learned) *Inputs { return &Inputs{learn: learn} }

// descriptions reads the descriptions in the inputs.
func (n *Inputs) descriptions() *traceDescriptions {
	if n == nil {
		return new(traceDescriptions)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.found == nil {
		left := DefaultMaxFields
		n.found = readDescriptions(n.learn(), new(problems.List), func(s *schema.Schema) bool {
			left -= countFields(s.Fields)
			return left >= 0
		})
	}
	return n.found
}
