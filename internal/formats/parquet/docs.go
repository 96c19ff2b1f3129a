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

// docsShare is the number of bytes of pages for each byte of names and sentences in a file. Smaller
// files have no sentences: most files of a small trace have fewer bytes in pages than in sentences.
const docsShare = 20

// docMetadata returns the metadata of a file with the sentences about the table's columns, or nil if
// the pages are too few bytes.
func docMetadata(t *schema.Table, pages int64) []format.KeyValue {
	size := int64(0)
	eachDoc(t.Columns, 0, func(length int, doc string) { size += int64(length + len(doc)) })
	if size == 0 || size*docsShare > pages {
		return nil
	}
	docs := make(map[string]string)
	addDocs(docs, t.Columns, "")
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	_ = e.Encode(docs) // only texts; sorted by key
	return []format.KeyValue{{Key: docsKey, Value: string(bytes.TrimSpace(text.Bytes()))}}
}

// eachDoc visits the columns with a sentence, with the length of their path below before bytes.
func eachDoc(columns []schema.Column, before int, visit func(length int, doc string)) {
	for i := range columns {
		c := &columns[i]
		if c.Doc != "" {
			visit(before+len(c.Name), c.Doc)
		}
		eachDoc(c.Fields, before+len(c.Name)+1, visit)
	}
}

// addDocs adds the sentences of columns by their paths.
func addDocs(docs map[string]string, columns []schema.Column, before string) {
	for i := range columns {
		c := &columns[i]
		if c.Doc != "" {
			docs[before+c.Name] = c.Doc
		}
		addDocs(docs, c.Fields, before+c.Name+".")
	}
}
