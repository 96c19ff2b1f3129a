package fleets

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
)

var le = binary.LittleEndian

// stream is a source of random numbers. Each feature has its own stream for each trace, machine or
// kind, made from the seed, the feature's name and an index. So a new feature, or one more number
// drawn for a feature, changes no other stream, and folders made earlier keep their bytes. Never
// share a stream between features.
//
// Only PCG.Uint64 and whole numbers are used: their results are the same for each version of Go and
// on each processor.
type stream struct{ source *rand.PCG }

func newStream(seed uint64, feature string, index ...int) stream {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s %d", seed, feature, index))
	return stream{rand.NewPCG(le.Uint64(sum[:]), le.Uint64(sum[8:]))}
}

// below returns a number from 0 to n-1.
func (s stream) below(n int) int { return int(s.below64(int64(n))) }

// below64 is below for numbers that an int of 32 bits does not hold.
func (s stream) below64(n int64) int64 { return int64(s.source.Uint64() % uint64(n)) }

// between returns a number from low to high.
func (s stream) between(low, high int) int { return low + s.below(high-low+1) }

// chance returns true n times in total.
func (s stream) chance(n, total int) bool { return s.below(total) < n }

func (s stream) guid() (g etltest.GUID) {
	le.PutUint64(g[:], s.source.Uint64())
	le.PutUint64(g[8:], s.source.Uint64())
	return g
}

func pick[T any](s stream, list []T) T { return list[s.below(len(list))] }

// take moves n random elements from *list to the result.
func take(s stream, list *[]int, n int) []int {
	l := *list
	for i := range n {
		k := i + s.below(len(l)-i)
		l[i], l[k] = l[k], l[i]
	}
	*list = l[n:]
	return l[:n:n]
}

// events returns a number from 10 to 2,000. Its logarithm is uniform between powers of two; within
// them the number is uniform, since results of math.Exp differ between processors.
func (s stream) events() int {
	const part = 1000 // of a doubling
	u := s.below(7*part + 9*part/16 + 1)
	n := 10 << (u / part)
	return n + n*(u%part)/part
}

// weighted returns an index, in proportion to weights that are given as their running sums.
func (s stream) weighted(sums []int) int {
	i, _ := slices.BinarySearch(sums, 1+s.below(sums[len(sums)-1]))
	return i
}
