package columnstest

import (
	"fmt"
	"math/rand/v2"
)

// Case is a table with rows that writers write and readers compare.
type Case struct {
	Name string
	*Data
}

// Cases returns rows of every type and every nesting, with which all writers and all readers are
// tested: hand-made tables, and some random ones.
func Cases(random int) []Case {
	cases := []Case{{"every_type", EveryType()}, {"documents", Documents()}, {"no_rows", Nestings()}}
	for i, nulls := range []float64{0, 0.3, 0.8, 1} {
		cases = append(cases, Case{fmt.Sprintf("nestings_%d", i), Nestings().Fill(rand.New(rand.NewPCG(uint64(i), 1)), 181, nulls, 3, 20)})
	}
	cases = append(cases, Case{"no_elements", Nestings().Fill(rand.New(rand.NewPCG(0, 3)), 50, 0.5, 0, 20)})
	for seed := range random {
		r := rand.New(rand.NewPCG(uint64(seed), 2))
		d := &Data{Table: RandomTable(r)}
		cases = append(cases, Case{fmt.Sprintf("random_%d", seed), d.Fill(r, 1+r.IntN(300), []float64{0.05, 0.5}[seed%2], 3, 100)})
	}
	return cases
}

// Batches cuts the rows into three batches and an empty one; without rows there is none.
func (c *Case) Batches() []int {
	n := len(c.Rows)
	if n == 0 {
		return nil
	}
	return []int{n / 3, 0, n / 2, n - n/3 - n/2}
}
