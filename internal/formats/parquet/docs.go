package parquet

import (
	"bytes"
	"encoding/json"

	"github.com/parquet-go/parquet-go/format"

	"github.com/etl2parquet/etl2parquet/schema"
)

// docsKey is the key of the sentences about columns in the metadata of a file: a JSON object, by
// column as in unitsKey.
const docsKey = "etl2parquet.docs"

// docsShare is the number of bytes of pages for each byte of names and sentences in a file: most files
// of a small trace have fewer bytes in pages than in sentences.
const docsShare = 20

// docMetadata returns the metadata of a file with the sentences about the table's columns. If the pages
// are too few bytes, it leaves out columns that very many tables share, or returns nil.
func docMetadata(t *schema.Table, pages int64) []format.KeyValue {
	var own, shared int64
	eachDoc(t.Columns, "", func(path, doc string) {
		if size := int64(len(path) + len(doc)); isShared(path) {
			shared += size
		} else {
			own += size
		}
	})
	withShared := (own+shared)*docsShare <= pages
	if own*docsShare > pages || own == 0 && !withShared || own+shared == 0 {
		return nil
	}
	docs := make(map[string]string)
	eachDoc(t.Columns, "", func(path, doc string) {
		if withShared || !isShared(path) {
			docs[path] = doc
		}
	})
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	_ = e.Encode(docs) // only texts; sorted by key
	return []format.KeyValue{{Key: docsKey, Value: string(bytes.TrimSpace(text.Bytes()))}}
}

func isShared(path string) bool { return schema.FieldID(path) < schema.HashedFieldID }

// eachDoc visits the sentences of columns, and of their members, with their paths.
func eachDoc(columns []schema.Column, before string, visit func(path, doc string)) {
	for i := range columns {
		c := &columns[i]
		if c.Doc != "" {
			visit(before+c.Name, c.Doc)
		}
		if len(c.Fields) > 0 {
			eachDoc(c.Fields, before+c.Name+".", visit)
		}
	}
}
