package fixed

import (
	"slices"

	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/schema"
)

type methodFill = columnFill[*attribution.Method]

var methodFills = slices.Concat([]methodFill{
	{"process_id", func(c *cell, m *attribution.Method) { c.int(int64(m.Process)) }},
	{"process_name", func(c *cell, m *attribution.Method) { c.processName(m.Process, &m.Life) }},
	{"address", func(c *cell, m *attribution.Method) { c.int(int64(m.Address)) }}, // by its bits
	{"size", func(c *cell, m *attribution.Method) { c.int(int64(m.Size)) }},
	{"namespace", func(c *cell, m *attribution.Method) { c.methodText(m.Namespace) }},
	{"method_name", func(c *cell, m *attribution.Method) { c.methodText(m.Name) }},
	{"signature", func(c *cell, m *attribution.Method) { c.methodText(m.Signature) }},
	{"module", func(c *cell, m *attribution.Method) { c.known(c.x.Tables().ModuleFile(m)) }},
	{"module_path", func(c *cell, m *attribution.Method) {
		if module := c.x.Tables().ModuleOf(m); module != nil {
			c.known(c.dosPath(module.Path))
		}
	}},
	{"native_path", func(c *cell, m *attribution.Method) {
		if module := c.x.Tables().ModuleOf(m); module != nil && module.NativePath != "" {
			c.text(c.dosPath(module.NativePath))
		}
	}},
	{"runtime", func(c *cell, m *attribution.Method) { c.text(m.Runtime.String()) }},
	{"kind", func(c *cell, m *attribution.Method) { c.known(c.x.Tables().Kind(m)) }},
	{"tier", func(c *cell, m *attribution.Method) { c.known(m.Tier()) }},
	{"flags", func(c *cell, m *attribution.Method) { c.int(int64(m.Flags)) }},
	{"flags_text", func(c *cell, m *attribution.Method) { c.listOf(uint64(m.Runtime)<<32|uint64(m.Flags), m.FlagNames) }},
	{"method_id", func(c *cell, m *attribution.Method) { c.address(m.ID) }},
	{"rejit_id", func(c *cell, m *attribution.Method) {
		id, known := c.x.Tables().ReJIT(m)
		c.intIf(int64(id), known)
	}},
	{"clr_instance_id", func(c *cell, m *attribution.Method) { c.intIf(int64(m.Instance), m.HasInstance) }},
	{"source_line", func(c *cell, m *attribution.Method) { c.position(c.x.Tables().Origin(m).Line) }},
	{"source_column", func(c *cell, m *attribution.Method) { c.position(c.x.Tables().Origin(m).Column) }},
}, lifeFills("load", "unload", func(m *attribution.Method) *attribution.Life { return &m.Life }))

// Methods makes rows of the table methods.
func Methods(x *index.Index, from, to int) *columns.Batch {
	return fillTable(x, schema.Methods, methodFills, pointers(x.Tables().Methods[from:to]))
}

// position writes a line or column, or null for 0.
func (c *cell) position(v uint32) { c.intIf(int64(v), v != 0) }

// methodText writes a text of a method, or null if it is unknown. The columns for texts of methods
// contain no other texts, so that codes are cached by number.
func (c *cell) methodText(n attribution.Text) {
	switch {
	case n == 0:
	case c.column.Spec.Encoding == schema.Varied:
		c.text(c.x.Tables().Text(n))
	default:
		codes := *c.methodCodes
		if codes == nil {
			codes = make([]uint32, c.x.Tables().Texts())
			*c.methodCodes = codes
		}
		if codes[n] == 0 {
			codes[n] = c.batch.Texts.Add(c.x.Tables().Text(n)) + 1
		}
		c.value().Code(codes[n] - 1)
	}
}
