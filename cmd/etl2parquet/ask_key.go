package main

import (
	"encoding/json"
	"os"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/base/fileid"
	"github.com/etl2parquet/etl2parquet/internal/base/version"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols"
	"github.com/etl2parquet/etl2parquet/internal/lake/cache"
)

// cacheForm must be changed when the pieces of the cache or their notes change and the version may not:
// all builds without a commit have one version.
const cacheForm = 3

// cacheKey is all that the rows of tables depend on, except for symbols: see keptSymbols.
type cacheKey struct {
	Form    int
	Program string
	Inputs  []keyInput

	Selection                   selection.Selection // without tables
	From, To                    string
	Payload, Messages, Siblings string
	Fields, Strict              bool
	MaxTables                   int
	Facts                       int64
	Redact                      string // a fingerprint of the key of pseudonyms
	Descriptions                string // a fingerprint of the contents of the user's files
	Catalogs                    []string
	Symbols, SymbolServers      []string
	SymbolVariable, SymbolCache string
	HasSymbols                  bool
}

// keyInput is a file: its names are in rows and messages.
type keyInput struct{ Name, Path, Identity, Beside string }

// cacheKey returns the key of the inputs. ok is false if their tables cannot be kept: an input has no
// identity.
func (r *reading) cacheKey(siblings siblingsFlag) (key []byte, ok bool) {
	f, o := r.flags, &r.options
	k := cacheKey{
		Form: cacheForm, Program: programIdentity(), Payload: o.Payload.String(), Messages: o.Messages.String(), Siblings: siblings.value, Fields: o.Fields, Strict: o.Strict, MaxTables: o.MaxTables, Facts: o.Facts,
		Descriptions: o.Schemas.Record().Fingerprint(), Catalogs: f.schemas.catalogs,
		Symbols: f.symbols.paths, SymbolServers: f.symbols.servers, SymbolCache: f.symbols.cache, SymbolVariable: os.Getenv(symbolPathVariable), HasSymbols: o.Symbols != nil,
		Selection: o.Selection, From: o.Selection.From.Text, To: o.Selection.To.Text,
	}
	if o.Redact != nil {
		k.Redact = o.Redact.Fingerprint()
	}
	k.Selection.Tables, k.Selection.Columns, k.Selection.Needs = nil, nil, nil
	if k.Program == "" || len(r.in.Files) == 0 {
		return nil, false
	}
	for _, file := range r.in.Files {
		identity, ok := file.Identity()
		if !ok {
			return nil, false
		}
		k.Inputs = append(k.Inputs, keyInput{file.Name, file.Path, identity, o.Schemas.For(file.Path).Record().Fingerprint()})
	}
	key, err := json.Marshal(k)
	return key, err == nil
}

// programIdentity returns the version of the program or, as builds of changed code share one, the identity
// of its file. It is "" if there is none.
func programIdentity() string {
	v := version.Of()
	if !strings.Contains(v, "dirty") && !strings.Contains(v, "devel") {
		return v
	}
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	id, err := fileid.Of(path)
	if err != nil {
		return ""
	}
	return v + " " + id.String()
}

// keptSymbols are the symbols that tables were made with.
type keptSymbols struct {
	Images []symbols.Image `json:"images"` // whose symbols were looked for
	State  string          `json:"state"`
}

// symbolsOf returns the symbols that traces were converted with. ok is false if a later run cannot detect
// whether they have changed.
func (r *reading) symbolsOf(records []*symbols.Record) (kept keptSymbols, ok bool) {
	if r.options.Symbols == nil {
		return kept, true
	}
	for _, record := range records {
		if record != nil {
			kept.Images = slices.Concat(kept.Images, record.Found, record.Missing)
		}
	}
	kept.State, ok = r.options.Symbols.State(kept.Images)
	return kept, ok
}

// hasSymbolsOf reports whether a piece was made with the symbols that there are now.
func (r *reading) hasSymbolsOf(p *cache.Piece) bool {
	var notes keptNotes
	if json.Unmarshal(p.Notes(), &notes) != nil {
		return false
	}
	if r.options.Symbols == nil {
		return true
	}
	state, ok := r.options.Symbols.State(notes.Symbols.Images)
	return ok && state == notes.Symbols.State
}
