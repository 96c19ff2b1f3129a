package answers

import (
	"encoding/json"
	"os"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/answers/cache"
	"github.com/etl2parquet/etl2parquet/internal/base/fileid"
	"github.com/etl2parquet/etl2parquet/internal/base/version"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols"
)

// keyForm must be changed when the pieces of the cache or their notes change and the version may not:
// all builds without a commit have one version.
const keyForm = 4

// key is all that the rows of tables depend on, except for symbols: see symbolNotes.
type key struct {
	Form    int
	Program string
	Inputs  []inputKey

	Selection         selection.Selection // without tables
	Payload, Messages string
	Siblings          bool
	Fields, Strict    bool
	MaxTables         int
	Facts             int64
	Redact            string // a fingerprint of the key of pseudonyms
	Descriptions      string // a fingerprint of the contents of the user's files
	Settings          []string
	HasSymbols        bool
}

// inputKey is a file: its names are in rows and messages.
type inputKey struct{ Name, Path, Identity, Beside string }

// key returns the key of the inputs. ok is false if their tables cannot be kept: an input has no
// identity.
func (t *Traces) key() (text []byte, ok bool) {
	o := &t.Options
	k := key{
		Form: keyForm, Program: programIdentity(), Payload: o.Payload.String(), Messages: o.Messages.String(), Siblings: t.Siblings, Fields: o.Fields, Strict: o.Strict, MaxTables: o.MaxTables, Facts: o.Facts,
		Descriptions: o.Schemas.Record().Fingerprint(), Settings: t.Kept.Settings, HasSymbols: o.Symbols != nil,
		Selection: o.Selection,
	}
	if o.Redact != nil {
		k.Redact = o.Redact.Fingerprint()
	}
	k.Selection.Tables, k.Selection.Columns, k.Selection.Needs = nil, nil, nil
	if k.Program == "" || len(t.Files.Files) == 0 {
		return nil, false
	}
	for _, file := range t.Files.Files {
		identity, ok := file.Identity()
		if !ok {
			return nil, false
		}
		k.Inputs = append(k.Inputs, inputKey{file.Name, file.Path, identity, o.Schemas.For(file.Path).Record().Fingerprint()})
	}
	text, err := json.Marshal(k)
	return text, err == nil
}

// programIdentity returns the version of the module or, as builds of changed code share one, the identity
// of the program's file. It is "" if there is none.
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

// symbolNotes are the symbols that tables were made with.
type symbolNotes struct {
	Images []symbols.Image `json:"images"` // whose symbols were looked for
	State  string          `json:"state"`
}

// symbolsOf returns the symbols that traces were converted with. ok is false if a later run cannot detect
// whether they have changed.
func (t *Traces) symbolsOf(records []*symbols.Record) (n symbolNotes, ok bool) {
	if t.Options.Symbols == nil {
		return n, true
	}
	for _, record := range records {
		if record != nil {
			n.Images = slices.Concat(n.Images, record.Found, record.Missing)
		}
	}
	n.State, ok = t.Options.Symbols.State(n.Images)
	return n, ok
}

// hasSymbolsOf reports whether a piece was made with the symbols that there are now.
func (t *Traces) hasSymbolsOf(p *cache.Piece) bool {
	var n notes
	if json.Unmarshal(p.Notes(), &n) != nil {
		return false
	}
	if t.Options.Symbols == nil {
		return true
	}
	state, ok := t.Options.Symbols.State(n.Symbols.Images)
	return ok && state == n.Symbols.State
}
