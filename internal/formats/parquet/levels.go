package parquet

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"

	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/schema"
)

// leaf is a column of a Parquet file: a column of the table or, for structs, a member at any depth
// that is not a struct itself.
type leaf struct {
	spec       *schema.Column
	column     int      // of the table
	members    []int    // the path from the column: the index of the member at each depth
	path       []string // the names of the nodes in the file's schema
	definition byte     // the level of a value; in a LIST, the level below means an empty list
	repetition byte     // the level of an element of the innermost list, except its first
}

func (l *leaf) inStruct() bool { return len(l.members) > 0 }

// leavesOf returns the leaves of a table, in the order of its columns.
func leavesOf(t *schema.Table) ([]leaf, error) {
	leaves := make([]leaf, 0, len(t.Columns))
	for i := range t.Columns {
		var err error
		if leaves, err = appendLeaves(leaves, leaf{column: i}, &t.Columns[i]); err != nil {
			return nil, fmt.Errorf("table %s: column %s: %w", t.Name, t.Columns[i].Name, err)
		}
	}
	return leaves, nil
}

// appendLeaves appends the leaves of a column below a node.
func appendLeaves(leaves []leaf, below leaf, c *schema.Column) ([]leaf, error) {
	l := below
	l.spec = c
	l.path = slices.Concat(below.path, []string{c.Name})
	if c.Nullable {
		l.definition++
	}
	if c.List {
		l.path = append(l.path, listGroup, listElement)
		l.definition++
		l.repetition++
	}
	if c.Type != schema.Struct {
		return append(leaves, l), nil
	}
	if len(c.Fields) == 0 {
		return nil, fmt.Errorf("%s is a struct without members", c.Name)
	}
	if len(l.members) == schema.MaxDepth {
		return nil, fmt.Errorf("structs are nested more than %d deep", schema.MaxDepth)
	}
	for i := range c.Fields {
		l.members = append(slices.Clone(below.members), i)
		var err error
		if leaves, err = appendLeaves(leaves, l, &c.Fields[i]); err != nil {
			return nil, err
		}
	}
	return leaves, nil
}

// levels are definition or repetition levels of a page. Many columns are entirely null or never
// null: equal levels are only counted.
type levels struct {
	level byte
	same  int    // levels that are all equal, while list is empty
	list  []byte // all levels, if they differ
}

func (l *levels) len() int { return l.same + len(l.list) }

func (l *levels) reset() { l.same, l.list = 0, l.list[:0] }

// add adds a level n times.
func (l *levels) add(level byte, n int) {
	switch {
	case n == 0:
	case len(l.list) == 0 && (l.same == 0 || l.level == level):
		l.level = level
		l.same += n
	default:
		l.spread()
		columns.Repeat(&l.list, level, n)
	}
}

// addOne adds a level.
func (l *levels) addOne(level byte) {
	if len(l.list) > 0 {
		l.list = append(l.list, level)
		return
	}
	l.add(level, 1)
}

// more returns memory for n levels, which the caller fills in.
func (l *levels) more(n int) []byte {
	l.spread()
	return columns.More(&l.list, n)
}

// less removes the last n levels, of those that more added.
func (l *levels) less(n int) { l.list = l.list[:len(l.list)-n] }

// spread turns the levels into a list.
func (l *levels) spread() {
	columns.Repeat(&l.list, l.level, l.same)
	l.same = 0
}

// append appends the levels to a page, preceded by their size.
func (l *levels) append(page []byte, largest byte) []byte {
	at := len(page)
	page = append(page, 0, 0, 0, 0)
	switch {
	case l.same > 0:
		page = append(binary.AppendUvarint(page, uint64(l.same)<<1), l.level)
	case allEqual(l.list):
		page = append(binary.AppendUvarint(page, uint64(len(l.list))<<1), l.list[0])
	default:
		page = appendRuns(page, l.list, bits.Len8(largest))
	}
	binary.LittleEndian.PutUint32(page[at:], uint32(len(page)-at-4))
	return page
}

func allEqual(levels []byte) bool {
	return len(levels) > 0 && bytes.Equal(levels[1:], levels[:len(levels)-1])
}

// levelWalk walks from a column of a batch down to a leaf, to find the levels of each row.
type levelWalk []levelNode

// levelNode is a column on the path to a leaf.
type levelNode struct {
	*columns.Column
	null, empty, value byte // definition levels: of a null row, of an empty list, of a value
	repetition         byte // of an element other than the first of its list
	next               int  // index of the next value or, in a LIST, of the next list
}

// start begins with the first row of a batch.
func (w levelWalk) start(l *leaf, c *columns.Column) levelWalk {
	w = append(w[:0], nodeOf(c, 0, 0))
	for depth, member := range l.members {
		above := &w[depth]
		w = append(w, nodeOf(&above.Members[member], above.value, above.repetition))
	}
	return w
}

// nodeOf returns the node of a column below a value with these levels.
func nodeOf(c *columns.Column, definition, repetition byte) levelNode {
	n := levelNode{Column: c, null: definition, value: definition, repetition: repetition}
	if c.Spec.Nullable {
		n.value++
	}
	n.empty = n.value
	if c.Spec.List {
		n.value++
		n.repetition++
	}
	return n
}

// taken returns the number of values in the rows so far, of elements for a LIST.
func (n *levelNode) taken() int {
	if !n.Spec.List || n.next == 0 {
		return n.next
	}
	return int(n.Lists[n.next-1])
}

// take returns the range of values of the next row: one value or, in a LIST, the elements of a list.
func (n *levelNode) take() (from, to int) {
	from = n.taken()
	n.next++
	return from, n.taken()
}

// structBatch adds the values of one batch, of a leaf in structs.
func (e *chunkEncoder) structBatch(b *columns.Batch, c *columns.Column) error {
	e.walk = e.walk.start(e.leaf, c)
	last := &e.walk[len(e.walk)-1]
	for row := 0; row < b.Rows; {
		from := last.taken()
		for end := min(b.Rows, row+pageStep, row+e.limits.rows-e.rows); row < end && e.definitions.len() < e.limits.levels; row++ {
			e.structLevels(e.walk, row, 0)
			e.rows++
		}
		e.addValues(last.Column, from, last.taken()-from)
		if e.rows >= e.limits.rows || e.definitions.len() >= e.limits.levels || len(e.bytes)+8*len(e.ints) >= e.limits.bytes {
			if err := e.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// structLevels adds the levels of a row of the first column of a path. The first level has the given
// repetition level.
func (e *chunkEncoder) structLevels(path levelWalk, row int, repetition byte) {
	n := &path[0]
	if !n.Has(row) {
		e.level(repetition, n.null)
		return
	}
	from, to := n.take()
	if from == to {
		e.level(repetition, n.empty)
		return
	}
	for element := from; element < to; element++ {
		if len(path) == 1 {
			e.level(repetition, n.value)
		} else {
			e.structLevels(path[1:], element, repetition)
		}
		repetition = n.repetition
	}
}
