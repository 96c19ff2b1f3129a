package fixed

import (
	"slices"

	"github.com/etl2parquet/etl2parquet/internal/attribution"
	"github.com/etl2parquet/etl2parquet/internal/columns"
	"github.com/etl2parquet/etl2parquet/internal/index"
	"github.com/etl2parquet/etl2parquet/schema"
)

type methodFill = columnFill[*attribution.Method]

var methodFills = slices.Concat([]methodFill{
	{"process_id", func(c *cell, m *attribution.Method) { c.int(int64(m.Process)) }},
	{"process_name", func(c *cell, m *attribution.Method) { c.processName(m.Process, &m.Life) }},
	{"address", func(c *cell, m *attribution.Method) { c.int(int64(m.Address)) }}, // by its bits
	{"size", func(c *cell, m *attribution.Method) { c.int(int64(m.Size)) }},
	{"namespace", func(c *cell, m *attribution.Method) { c.known(m.Namespace) }},
	{"method_name", func(c *cell, m *attribution.Method) { c.known(m.Name) }},
	{"signature", func(c *cell, m *attribution.Method) { c.known(m.Signature) }},
	{"module", func(c *cell, m *attribution.Method) { c.known(m.Module) }},
	{"module_path", func(c *cell, m *attribution.Method) {
		if module := c.x.Tables().ModuleOf(m); module != nil {
			c.known(c.x.Tables().DOSPath(module.Path))
		}
	}},
	{"native_path", func(c *cell, m *attribution.Method) {
		if module := c.x.Tables().ModuleOf(m); module != nil && module.NativePath != "" {
			c.text(c.x.Tables().DOSPath(module.NativePath))
		}
	}},
	{"runtime", func(c *cell, m *attribution.Method) { c.text(m.Runtime.String()) }},
	{"kind", func(c *cell, m *attribution.Method) { c.known(m.Kind()) }},
	{"tier", func(c *cell, m *attribution.Method) { c.known(m.Tier()) }},
	{"flags", func(c *cell, m *attribution.Method) { c.int(int64(m.Flags)) }},
	{"flags_text", func(c *cell, m *attribution.Method) { c.texts(m.FlagNames()) }},
	{"method_id", func(c *cell, m *attribution.Method) { c.address(m.ID) }},
	{"rejit_id", func(c *cell, m *attribution.Method) { c.intIf(int64(m.ReJIT), m.HasReJIT) }},
	{"clr_instance_id", func(c *cell, m *attribution.Method) { c.intIf(int64(m.Instance), m.HasInstance) }},
	{"source_line", func(c *cell, m *attribution.Method) { c.intIf(int64(m.Line), m.Line != 0) }},
	{"source_column", func(c *cell, m *attribution.Method) { c.intIf(int64(m.Column), m.Column != 0) }},
}, lifeFills("load", "unload", func(m *attribution.Method) *attribution.Life { return &m.Life }))

// Methods makes rows of the table methods.
func Methods(x *index.Index, from, to int) *columns.Batch {
	return fillTable(x, schema.Methods, methodFills, pointers(x.Tables().Methods[from:to]))
}
