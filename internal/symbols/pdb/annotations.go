package pdb

import (
	"bytes"
	"iter"
)

// S_ANNOTATION: offset, section, number of texts, texts that end with zero each.
const (
	annotationKind    = 0x1019
	annotationCountAt = 6
	annotationTextsAt = 8
)

// Annotations returns the texts of each __annotation in the program, in the order of the
// modules. A damaged module yields an error in place of the rest of its annotations.
func (f *File) Annotations() iter.Seq2[[]string, error] {
	return func(yield func([]string, error) bool) {
		for number := range f.dbi.modules {
			goOn := true
			err := f.moduleRecords(number, func(s stream, r record) bool {
				if r.kind != annotationKind {
					return true
				}
				texts, ok := annotation(r.data)
				if ok {
					goOn = yield(texts, nil)
				} else {
					goOn = yield(nil, s.wrong(r.at, "annotation", ErrCorrupt))
				}
				return goOn
			})
			if !goOn || err != nil && !yield(nil, err) {
				return
			}
		}
	}
}

// annotation splits the content of a record into its texts.
func annotation(data []byte) ([]string, bool) {
	if len(data) < annotationTextsAt {
		return nil, false
	}
	count, rest := int(u16(data, annotationCountAt)), data[annotationTextsAt:]
	texts := make([]string, 0, min(count, len(rest)))
	for range count {
		end := bytes.IndexByte(rest, 0)
		if end < 0 {
			return nil, false
		}
		texts = append(texts, text(rest[:end]))
		rest = rest[end+1:]
	}
	return texts, true
}
