package parquet

import (
	"math"

	"github.com/parquet-go/parquet-go/format"

	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/schema"
)

// pageLimits say when a page is full.
type pageLimits struct {
	rows, bytes int
	levels      int // of a leaf in structs: nested lists have many levels in few rows
	dictionary  int // numbers in a dictionary: with more of them, indices save nothing, and later pages hold the values
}

// defaultLimits are lower in tests only. Most row groups have 128 Ki rows plus the rest of a slab of
// the trace: they are one page. A page with only the small rest of a row group would cost bytes, and
// the page indexes that readers need to skip it.
var defaultLimits = pageLimits{rows: 192 << 10, bytes: 8 * 192 << 10, levels: 256 << 10, dictionary: 64 << 10}

const pageStep = 256 // rows of variable size added between two checks of the size

// chunkEncoder encodes one column after another. It holds the current page and reused memory.
type chunkEncoder struct {
	g      *RowGroup
	leaf   *leaf
	spec   *schema.Column // of the leaf
	chunk  *columnChunk
	limits *pageLimits // of the file
	max    byte        // the definition level of a value

	// The page: its levels, and values of the column's type.
	rows        int
	repetitions levels
	definitions levels
	nulls       int // null lists and lists without elements included
	ints        []int64
	small       []int32
	bools       []bool
	floats      []float32
	reals       []float64
	lengths     []int32 // of texts and binaries, whose bytes are in bytes
	bytes       []byte
	bounds      bounds

	dictionary dictionary
	direct     bool            // values are written directly, without the dictionary
	how        format.Encoding // of values written so
	dictPages  int32           // number of data pages that use the dictionary
	rowsDone   int64
	ending     bool // the page is the last of the chunk

	walk levelWalk          // for a leaf in structs
	room [deltaBlock]uint64 // differences of a block

	encoded, page, compressed []byte

	sampled  []int64 // numbers of a sample
	whole    bool    // the sample has all values of the page: it begins with the levels
	tried    [maxTried]triedPage
	triedNow int // of them, in this chunk
}

// encode encodes a leaf of the batches of a row group into its chunk, and appends it to the group's out.
func (e *chunkEncoder) encode(g *RowGroup, l *leaf, c *columnChunk) error {
	e.g, e.leaf, e.spec, e.chunk, e.max, e.rowsDone, e.dictPages = g, l, l.spec, c, l.definition, 0, 0
	e.limits = g.File.options.limits()
	e.direct, e.how = !hasDictionary(l.spec), valueEncoding(l.spec)
	e.triedNow, e.ending = 0, false
	e.dictionary.reset(l.spec)
	c.pages.reset(l.spec)
	start := len(g.out)
	e.beginPage()
	for _, b := range g.batches {
		if e.isBytes() && hasDictionary(l.spec) {
			e.dictionary.beginBatch(b)
		}
		add := e.batch
		if l.inStruct() {
			add = e.structBatch
		}
		if err := add(b, &b.Columns[l.column]); err != nil {
			return err
		}
	}
	e.ending = true
	if err := e.flush(); err != nil {
		return err
	}
	return e.finishChunk(start)
}

// batch adds the values of one batch, page by page.
func (e *chunkEncoder) batch(b *columns.Batch, c *columns.Column) error {
	value := 0 // the next value or, in a LIST, the next list
	for row := 0; row < b.Rows; {
		n := min(e.limits.rows-e.rows, b.Rows-row)
		if e.spec.List || e.isBytes() && e.spec.Encoding == schema.Varied {
			n = min(n, pageStep)
		}
		value += e.add(c, row, n, value)
		row += n
		e.rows += n
		if e.rows >= e.limits.rows || len(e.bytes)+8*len(e.ints) >= e.limits.bytes {
			if err := e.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (e *chunkEncoder) isBytes() bool {
	return e.spec.Type == schema.String || e.spec.Type == schema.Binary
}

// add adds n rows, and returns their number of values.
func (e *chunkEncoder) add(c *columns.Column, row, n, value int) (taken int) {
	if e.spec.List {
		return e.addLists(c, row, n, value)
	}
	taken = n
	if e.spec.Nullable {
		taken = e.addLevels(c, row, n)
		e.nulls += n - taken
	}
	e.addValues(c, value, taken)
	return taken
}

// addLevels adds the definition levels of rows of a nullable column, and returns the number of rows
// with a value.
func (e *chunkEncoder) addLevels(c *columns.Column, row, n int) (present int) {
	all, list := c.Valid.Rows()
	list = list[min(row, len(list)):min(row+n, len(list))]
	if len(list) == 0 {
		present = max(min(all-row, n), 0)
		e.definitions.add(1, present)
		e.definitions.add(0, n-present)
		return present
	}
	levels := e.definitions.more(n)
	clear(levels[len(list):])
	levels = levels[:len(list)]
	for i, v := range list { // without branches, which the processor could mispredict
		level := byte(0)
		if v {
			level = 1
		}
		levels[i] = level
		present += int(level)
	}
	return present
}

// addLists adds rows of a LIST column.
func (e *chunkEncoder) addLists(c *columns.Column, row, n, list int) (taken int) {
	given := n
	if e.spec.Nullable {
		given = min(max(c.Valid.Len()-row, 0), n) // later rows are null
	}
	if given > 0 {
		taken = e.listLevels(c, row, given, list)
	}
	e.repetitions.add(0, n-given)
	e.definitions.add(0, n-given)
	e.nulls += n - given
	first, end := elementsBefore(c, list), elementsBefore(c, list+taken)
	e.addValues(c, first, end-first)
	return taken
}

// elementsBefore returns the number of elements in the lists before one.
func elementsBefore(c *columns.Column, list int) int {
	if list == 0 {
		return 0
	}
	return int(c.Lists[list-1])
}

// listLevels adds the levels of rows of a LIST column, and returns the number of their lists.
func (e *chunkEncoder) listLevels(c *columns.Column, row, n, list int) (taken int) {
	element, lists := elementsBefore(c, list), c.Lists[list:]
	most := n // levels: an element of each list is counted with its row
	if have := min(n, len(lists)); have > 0 {
		most += int(lists[have-1]) - element
	}
	repetitions, definitions := e.repetitions.more(most), e.definitions.more(most)
	at := 0
	for i := row; i < row+n; i++ {
		repetitions[at], definitions[at] = 0, 0
		if !c.Has(i) {
			e.nulls++
			at++
			continue
		}
		end := int(lists[taken])
		taken++
		if end == element {
			definitions[at] = e.max - 1
			e.nulls++
			at++
			continue
		}
		definitions[at] = e.max
		at++
		for element++; element < end; element++ {
			repetitions[at], definitions[at] = 1, e.max
			at++
		}
	}
	e.repetitions.less(most - at)
	e.definitions.less(most - at)
	return taken
}

func (e *chunkEncoder) level(repetition, definition byte) {
	e.repetitions.addOne(repetition)
	e.definitions.addOne(definition)
	if definition < e.max {
		e.nulls++
	}
}

// addValues adds n values from the index from.
func (e *chunkEncoder) addValues(c *columns.Column, from, n int) {
	if n == 0 {
		return
	}
	switch e.spec.Type {
	case schema.Boolean:
		e.bounds.bools(c.Bools[from : from+n])
		e.bools = append(e.bools, c.Bools[from:from+n]...)
	case schema.Float:
		for _, v := range c.Floats[from : from+n] {
			e.bounds.float(int64(int32(math.Float32bits(v))), v != v)
		}
		e.floats = append(e.floats, c.Floats[from:from+n]...)
	case schema.Double:
		for _, v := range c.Reals[from : from+n] {
			e.bounds.float(int64(math.Float64bits(v)), v != v)
		}
		e.reals = append(e.reals, c.Reals[from:from+n]...)
	case schema.Int32:
		e.addSmall(c.Small[from : from+n])
	case schema.String, schema.Binary:
		if e.spec.Encoding == schema.Repeating {
			e.addTexts(c.Codes[from : from+n])
			return
		}
		start := uint32(0)
		if from > 0 {
			start = c.Ends[from-1]
		}
		e.bytes = append(e.bytes, c.Bytes[start:c.Ends[from+n-1]]...)
		for _, end := range c.Ends[from : from+n] {
			e.lengths = append(e.lengths, int32(end-start))
			start = end
		}
	default:
		e.addInts(c.Ints[from:from+n], flipOf(e.spec))
	}
}

func (e *chunkEncoder) addSmall(values []int32) {
	if !e.listsAll() {
		e.bounds.small(values)
	}
	if e.direct {
		e.small = append(e.small, values...)
		return
	}
	e.small = e.dictionary.small(e.small, values)
}

func (e *chunkEncoder) addTexts(codes []uint32) {
	at := len(e.small)
	e.small = e.dictionary.codes(e.small, codes)
	if e.direct {
		e.gatherTexts(e.small[at:])
	}
}

func (e *chunkEncoder) addInts(values []int64, flip int64) {
	if !e.listsAll() {
		e.bounds.ints(values, flip)
	}
	if e.direct {
		e.ints = append(e.ints, values...)
		return
	}
	e.small = e.dictionary.ints(e.small, values)
}

func (e *chunkEncoder) beginPage() {
	e.rows, e.nulls = 0, 0
	e.repetitions.reset()
	e.definitions.reset()
	e.ints, e.small, e.bools, e.reals, e.bytes = e.ints[:0], e.small[:0], e.bools[:0], e.reals[:0], e.bytes[:0]
	e.lengths, e.floats = e.lengths[:0], e.floats[:0]
	e.bounds = newBounds()
	e.dictionary.beginPage(e.rowsDone > 0)
}
