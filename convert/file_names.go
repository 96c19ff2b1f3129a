package convert

import (
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/schema"
)

// fileNames fills the column with the file that an event is about.
type fileNames struct {
	column *column
	codes  [fileCodes]fileCode // of a few files, by their number
}

// fileCode is the code of a file's path.
type fileCode struct {
	file int // too large by one: 0 is no file
	code uint32
}

const fileCodes = 256

// begin prepares for an empty batch.
func (f *fileNames) begin() {
	if f.column != nil {
		clear(f.codes[:])
	}
}

// fileFields returns the indices of the fields that may tell the file, those
// that say more first.
func fileFields(e *schema.Event) []int {
	var fields []int
	for _, name := range e.Files {
		for i := range e.Fields {
			if e.Fields[i].Name == name {
				fields = append(fields, i)
			}
		}
	}
	return fields
}

// fileName appends the path of the first file that the trace knows.
func (p *payloadRows) fileName(number int, l *boundLayout, r *row, spans []decode.Span) {
	tables := p.ctx.owners
	for _, field := range l.files {
		s := spans[field]
		if s.From < 0 {
			continue
		}
		file := tables.File(decode.Uint(r.payload[s.From:s.To]), r.Time)
		if file < 0 || tables.Files[file].Path == "" {
			continue
		}
		at := &p.files.codes[file%fileCodes]
		if at.file != file+1 {
			*at = fileCode{file + 1, p.batch.texts.text(tables.DOSPath(tables.Files[file].Path))}
		}
		p.files.column.at(number).code(at.code)
		return
	}
}
