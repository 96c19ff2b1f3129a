package pe

import (
	"bytes"
	"strings"

	"github.com/etl2parquet/etl2parquet/schema"
)

// An entry of the debug directory.
const (
	debugEntrySize = 28
	debugTypeAt    = 12
	debugBytesAt   = 16
	debugOffsetAt  = 24
	codeViewType   = 2
	maxDebug       = 1024 // entries; a linker writes fewer than ten
)

// A CodeView record: "RSDS", GUID, age, name.
const (
	codeViewSignature = "RSDS"
	codeViewGUIDAt    = 4
	codeViewAgeAt     = 20
	codeViewNameAt    = 24
	maxCodeView       = codeViewNameAt + 64<<10
)

// pdbName identifies a PDB.
type pdbName struct {
	name string
	guid schema.GUID
	age  uint32
}

// readPDBName reads the first CodeView record that names a PDB.
func (f *File) readPDBName() (pdbName, error) {
	const where = "debug directory"
	count := min(int64(f.debugDir.size)/debugEntrySize, maxDebug)
	if count == 0 {
		return pdbName{}, nil
	}
	entries, err := f.readRVA(f.debugDir.rva, count*debugEntrySize, where)
	if err != nil {
		return pdbName{}, err
	}
	for ; len(entries) > 0; entries = entries[debugEntrySize:] {
		size := int64(u32(entries, debugBytesAt))
		if u32(entries, debugTypeAt) != codeViewType || size < codeViewNameAt {
			continue
		}
		data, err := f.read(int64(u32(entries, debugOffsetAt)), min(size, maxCodeView), where)
		if err != nil {
			return pdbName{}, err
		}
		if name, ok := cutText(data[codeViewNameAt:]); ok && string(data[:codeViewGUIDAt]) == codeViewSignature {
			return pdbName{name, schema.GUID(data[codeViewGUIDAt:]), u32(data, codeViewAgeAt)}, nil
		}
	}
	return pdbName{}, nil
}

// cutText returns the text before the first zero, as UTF-8, and whether there is a zero.
func cutText(data []byte) (string, bool) {
	before, _, ok := bytes.Cut(data, []byte{0})
	return strings.ToValidUTF8(string(before), "\uFFFD"), ok
}
