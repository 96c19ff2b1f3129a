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

// scopeEndAt is the position in a procedure's content of the offset at which it ends.
const scopeEndAt = 4

// Annotation is an __annotation of the program.
type Annotation struct {
	Function string // the procedure that has it, or into which its function was inlined
	Texts    []string
}

// Annotations returns the annotations of the program, in the order of the modules. A damaged module
// yields an error in place of its remaining annotations.
func (f *File) Annotations() iter.Seq2[Annotation, error] {
	return func(yield func(Annotation, error) bool) {
		for number := range f.dbi.modules {
			if !f.moduleAnnotations(number, yield) {
				return
			}
		}
	}
}

// moduleAnnotations yields the annotations of a module. It reports whether to continue.
func (f *File) moduleAnnotations(number int, yield func(Annotation, error) bool) bool {
	goOn := true
	var in scope
	err := f.moduleRecords(number, func(s stream, r record) bool {
		if form, ok := procedureForms[r.kind]; ok && len(r.data) >= form.name {
			in = scope{r.at, recordHeadSize + form.name, int64(u32(r.data, scopeEndAt))}
		}
		if r.kind != annotationKind {
			return true
		}
		a, err := Annotation{}, s.wrong(r.at, "annotation", ErrCorrupt)
		if texts, ok := annotation(r.data); ok {
			a.Texts = texts
			a.Function, err = in.nameAt(s, r.at)
		}
		goOn = yield(a, err)
		return goOn
	})
	if goOn && err != nil {
		goOn = yield(Annotation{}, err)
	}
	return goOn
}

// scope is the procedure that began last: its record, its name, and the offset at which it ends.
type scope struct {
	record int64
	name   int
	end    int64
}

// nameAt returns the name of the procedure if a record at an offset belongs to it.
func (in scope) nameAt(s stream, at int64) (string, error) {
	if at >= in.end {
		return "", nil
	}
	return s.nameAt(in.record, in.name, "procedure")
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
