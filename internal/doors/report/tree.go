package report

import (
	"cmp"
	"slices"
	"strings"
)

// label is the text of a node: a function and its module, or a process.
type label struct{ name, module string }

// node is a frame below another one.
type node struct{ parent, label int32 }

// tree is a flame graph: below the root processes, then, for events, their kinds, then frames from the
// outermost one.
type tree struct {
	labels   []label
	byName   map[label]int32
	nodes    []node // the root first, and each parent before its children
	children map[node]int32
	cells    []cell // by node and bin
	total    int64  // of all cells
	folded   int64  // nodes that prune has folded
	share    float64
	deep     int64 // stacks that were cut because they are too deep
}

// maxNodes bounds the memory of a tree; maxDepth its height. Frames beyond them are folded into their
// callers.
const (
	maxNodes = 4 << 20
	maxDepth = 512
)

// smallNodes is the name of a node with the samples of its siblings that prune has removed.
const smallNodes = "(smaller ones)"

func newTree() *tree {
	t := &tree{byName: make(map[label]int32), children: make(map[node]int32)}
	t.nodes = append(t.nodes, node{-1, t.label("all", "")})
	return t
}

// label returns the number of a label.
func (t *tree) label(name, module string) int32 {
	if i, ok := t.byName[label{name, module}]; ok {
		return i
	}
	l := label{strings.Clone(name), strings.Clone(module)}
	t.byName[l] = int32(len(t.labels))
	t.labels = append(t.labels, l)
	return int32(len(t.labels) - 1)
}

// frame returns the number of the label of a frame. An unnamed function has no name.
func (t *tree) frame(function, module string) int32 { return t.label(function, module) }

// process returns the node of a process.
func (t *tree) process(name string) int32 { return t.child(0, t.label(name, "process")) }

// child returns the child of a node with a label, or the node itself if the tree is full.
func (t *tree) child(parent, label int32) int32 {
	key := node{parent, label}
	if i, ok := t.children[key]; ok {
		return i
	}
	if len(t.nodes) >= maxNodes {
		t.folded++
		return parent
	}
	i := int32(len(t.nodes))
	t.nodes = append(t.nodes, key)
	t.children[key] = i
	return i
}

// path returns the node of a stack, whose frames are innermost first. Unnamed frames of one module that
// follow each other are one node.
func (t *tree) path(node int32, modules, functions []string) int32 {
	last := int32(-1)
	first := 0
	if len(modules) > maxDepth {
		first = len(modules) - maxDepth
		t.deep++
	}
	for i := len(modules) - 1; i >= first; i-- {
		function := ""
		if i < len(functions) {
			function = functions[i]
		}
		label := t.frame(function, modules[i])
		if function == "" && label == last {
			continue
		}
		last = label
		node = t.child(node, label)
	}
	return node
}

// setCells sets the cells, each with its node in place of the stack.
func (t *tree) setCells(cells []cell) {
	t.cells = mergeCells(cells)
	for _, c := range t.cells {
		t.total += c.count
	}
}

// mergeCells sorts cells by node and bin, and merges equal ones.
func mergeCells(cells []cell) []cell {
	slices.SortFunc(cells, func(a, b cell) int { return cmp.Or(cmp.Compare(a.stack, b.stack), cmp.Compare(a.bin, b.bin)) })
	merged := cells[:0]
	for _, c := range cells {
		if n := len(merged); n > 0 && merged[n-1].stack == c.stack && merged[n-1].bin == c.bin {
			merged[n-1].count += c.count
		} else {
			merged = append(merged, c)
		}
	}
	return merged
}

// weights returns the samples of each node with its callees.
func (t *tree) weights() []int64 {
	w := make([]int64, len(t.nodes))
	for _, c := range t.cells {
		w[c.stack] += c.count
	}
	for i := len(t.nodes) - 1; i > 0; i-- {
		w[t.nodes[i].parent] += w[i]
	}
	return w
}

// self returns the samples of each node without its callees.
func (t *tree) self() []int64 {
	w := make([]int64, len(t.nodes))
	for _, c := range t.cells {
		w[c.stack] += c.count
	}
	return w
}

// prune returns a tree without the nodes that have less than a share of all samples. Their samples are
// in a child of their parent, named [smallNodes].
func (t *tree) prune(share float64) *tree {
	least := share * float64(t.total)
	p := newTree()
	p.total, p.share, p.deep, p.folded = t.total, share, t.deep, t.folded
	w := t.weights()
	to := make([]int32, len(t.nodes))
	isSmall := make([]bool, len(t.nodes))
	for i := 1; i < len(t.nodes); i++ {
		parent := t.nodes[i].parent
		above := to[parent]
		switch l := t.labels[t.nodes[i].label]; {
		case isSmall[parent]:
			to[i], isSmall[i] = above, true
			p.folded++
		case float64(w[i]) < least:
			to[i], isSmall[i] = p.child(above, p.label(smallNodes, "")), true
			p.folded++
		case w[i] > 0:
			to[i] = p.child(above, p.label(l.name, l.module))
		default:
			to[i], isSmall[i] = above, true
		}
	}
	cells := make([]cell, len(t.cells))
	for i, c := range t.cells {
		cells[i] = cell{c.bin, to[c.stack], c.count}
	}
	p.cells = mergeCells(cells)
	return p
}

// processTotals returns the samples by process: the nodes below the root, largest first.
func (t *tree) processTotals() (list []weighted) {
	w := t.weights()
	for i := 1; i < len(t.nodes); i++ {
		if t.nodes[i].parent == 0 && w[i] > 0 {
			list = append(list, weighted{t.labels[t.nodes[i].label], w[i], int32(i)})
		}
	}
	slices.SortStableFunc(list, func(a, b weighted) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), strings.Compare(a.label.name, b.label.name))
	})
	return list
}

// functionTotals returns the own samples of functions, largest first. Those of unnamed functions of a
// module are together.
func (t *tree) functionTotals() (list []weighted) {
	indexes := make(map[int32]int)
	self := t.self()
	for i := 1; i < len(t.nodes); i++ {
		n := t.nodes[i]
		if self[i] == 0 || n.parent == 0 {
			continue
		}
		k, ok := indexes[n.label]
		if !ok {
			k = len(list)
			indexes[n.label] = k
			list = append(list, weighted{label: t.labels[n.label]})
		}
		list[k].weight += self[i]
	}
	slices.SortStableFunc(list, func(a, b weighted) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), strings.Compare(a.label.name, b.label.name), strings.Compare(a.label.module, b.label.module))
	})
	return list
}

// weighted is a label with its samples.
type weighted struct {
	label  label
	weight int64
	node   int32
}

// topOf returns the process of each node; the root is its own.
func (t *tree) topOf() []int32 {
	top := make([]int32, len(t.nodes))
	for i := 1; i < len(t.nodes); i++ {
		if t.nodes[i].parent == 0 {
			top[i] = int32(i)
		} else {
			top[i] = top[t.nodes[i].parent]
		}
	}
	return top
}
