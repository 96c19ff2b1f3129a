package rows

import (
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/schema"
)

// fileNames fills the column with the file that an event is about.
type fileNames struct {
	column *columns.Column
	codes  [fileCodes]fileCode // a cache, by the files' numbers
	paths  map[string]uint32   // codes of paths, by their bytes in payloads
}

// fileCode is the code of a file's path.
type fileCode struct {
	file int // the number plus 1: 0 means no file
	code uint32
}

const fileCodes = 256

// Bounds on the cache of paths: their number, and the bytes of each. When the number is reached,
// the cache is emptied.
const (
	maxPaths = 1 << 12
	maxPath  = 1 << 10
)

// reset prepares for an empty batch.
func (f *fileNames) reset() {
	if f.column != nil {
		clear(f.codes[:])
		clear(f.paths)
	}
}

// fileName appends the path of the first file that the trace knows.
func (p *payloadRows) fileName(number int, l *boundLayout, r *row, spans []decode.Span) {
	for i := range l.files {
		f := &l.files[i]
		var code uint32
		known := spans[f.Index].From >= 0
		switch {
		case known && f.IsPath:
			code, known = p.pathOf(f, r, spans)
		case known:
			code, known = p.fileOf(f, r, spans)
		}
		if known {
			p.files.column.At(number).Code(code)
			return
		}
	}
}

// fileOf returns the code of the path of the file that a file object or key refers to.
func (p *payloadRows) fileOf(f *schema.FileField, r *row, spans []decode.Span) (code uint32, ok bool) {
	tables, s := p.ctx.owners, spans[f.Index]
	file := tables.File(decode.Uint(r.payload[s.From:s.To]), r.Time)
	if file < 0 || tables.Files[file].Path == "" {
		return 0, false
	}
	at := &p.files.codes[file%fileCodes]
	if at.file != file+1 {
		*at = fileCode{file + 1, p.batch.Texts.Text(tables.DOSPath(tables.Files[file].Path))}
	}
	return at.code, true
}

// pathOf returns the code of the path in the payload.
func (p *payloadRows) pathOf(f *schema.FileField, r *row, spans []decode.Span) (code uint32, ok bool) {
	s := spans[f.Index]
	raw := r.payload[s.From:s.To]
	if code, ok := p.files.paths[string(raw)]; ok {
		return code, true
	}
	p.scratch = decode.AppendUTF16(p.scratch[:0], raw)
	tables, path := p.ctx.owners, string(p.scratch)
	isWhole := f.Base < 0 || attribution.SaysVolume(path)
	if !isWhole && spans[f.Base].From >= 0 {
		base := spans[f.Base]
		path = tables.ImagePath(r.owner.Process, decode.Uint(r.payload[base.From:base.To]), r.Time, path)
	}
	if path == "" {
		return 0, false
	}
	code = p.batch.Texts.Text(tables.DOSPath(path))
	if isWhole && len(raw) <= maxPath {
		p.files.remember(raw, code)
	}
	return code, true
}

// remember caches the code of a path that has the same meaning in all events.
func (f *fileNames) remember(raw []byte, code uint32) {
	if f.paths == nil || len(f.paths) == maxPaths {
		f.paths = make(map[string]uint32)
	}
	f.paths[string(raw)] = code
}
