package catalog

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/etl2parquet/etl2parquet/decode/definition"
	"github.com/etl2parquet/etl2parquet/decode/wpp"
	"github.com/etl2parquet/etl2parquet/internal/base/reach"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols/pdb"
)

// errNoMessages is the error for a PDB that describes no WPP message. In a folder, such a file is
// ignored, because most PDBs describe none.
var errNoMessages = errors.New("a PDB without WPP messages; only the PDB that a linker writes has them, not one stripped for publication")

func isPDBName(path string) bool { return strings.EqualFold(filepath.Ext(path), ".pdb") }

// maxDamage bounds the errors kept of a PDB; all are counted.
const maxDamage = 100

// readPDB returns the TMF file that tracepdb would write for a PDB. A damaged module loses only its
// own messages, and is listed in damage.
func readPDB(path string, from *reach.Files) (tmf []byte, damage FileErrors, err error) {
	file, err := openRegular(path, from)
	if err != nil {
		return nil, damage, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, damage, err
	}
	f, err := pdb.Open(file, info.Size())
	if err != nil {
		return nil, damage, err
	}
	for a, err := range f.Annotations() {
		switch {
		case err == nil:
			tmf, _ = wpp.AppendAnnotation(tmf, a.Function, a.Texts)
		case len(damage.List) < maxDamage:
			damage.List = append(damage.List, err)
		default:
			damage.More++
		}
		if len(tmf) > definition.MaxSize {
			return nil, damage, definition.TooLarge(int64(len(tmf)))
		}
	}
	switch {
	case len(tmf) > 0:
		return tmf, damage, nil
	case len(damage.List) > 0:
		return nil, damage, fmt.Errorf("no WPP messages in the modules that can be read: %w", damage.List[0])
	}
	return nil, damage, errNoMessages
}
