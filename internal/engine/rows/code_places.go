package rows

import (
	"slices"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/schema"
)

// locatesCode reports whether a table has a column with the location of code.
func locatesCode(t *schema.Table) bool {
	return slices.ContainsFunc(t.Columns, func(c schema.Column) bool { return c.LocatesCode })
}

// codeOf appends the location of the address in a field. Address 0 has none.
func (p *payloadRows) codeOf(number int, f *boundField, r *row, s decode.Span) {
	address := decode.Uint(r.payload[s.From:s.To])
	if address == 0 {
		return
	}
	at := p.code.at(r.owner.Process, address, r.Time, int(s.To-s.From))
	if at.start == 0 {
		return
	}
	code, to := p.code.of(&at), f.columns.Code
	if to.Module >= 0 && p.code.module(&at) != "" {
		p.columns[to.Module].At(number).Code(code.module)
	}
	if to.Function >= 0 && p.code.function(&at) != "" {
		p.columns[to.Function].At(number).Code(code.function)
	}
	if to.Symbol >= 0 && p.code.symbol(&at) != "" {
		p.columns[to.Symbol].At(number).Code(code.symbol)
	}
	if to.Offset >= 0 {
		p.columns[to.Offset].At(number).Int64(int64(address - at.start))
	}
}
