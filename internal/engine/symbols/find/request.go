package find

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/etl2parquet/etl2parquet/schema"
)

// request is a file that is searched for.
type request struct {
	name  string // without a folder
	id    string // its folder in a store
	what  string // for messages
	isPDB bool
	check func(path string) error // reads the identity of a file and compares it
}

// key is the same for names that differ only in case.
func (w *request) key() string { return strings.ToLower(w.name) + "/" + w.id }

// compressed returns the name that the file has if it is compressed.
func (w *request) compressed() string {
	_, size := utf8.DecodeLastRuneInString(w.name)
	return w.name[:len(w.name)-size] + "_"
}

func (f *Finder) requestPDB(p PDB) (*request, error) {
	name, err := baseName(p.Name)
	if err != nil {
		return nil, err
	}
	need := pdbText(p.GUID, p.Age)
	return &request{
		name:  name,
		id:    p.id(),
		what:  name + " " + need,
		isPDB: true,
		check: func(path string) error {
			guid, age, err := f.o.ReadPDB(path)
			if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			if guid != p.GUID || age != p.Age {
				return &MismatchError{path, pdbText(guid, age), need}
			}
			return nil
		},
	}, nil
}

// id returns the folder of the file in a store.
func (p *PDB) id() string {
	return fmt.Sprintf("%s%X", strings.ToUpper(strings.ReplaceAll(p.GUID.String(), "-", "")), p.Age)
}

// StorePath returns where a symbol store has the file: name/id/name, with the name without a folder.
func (p PDB) StorePath() string {
	name := p.Name[strings.LastIndexAny(p.Name, `\/`)+1:]
	return name + "/" + p.id() + "/" + name
}

func pdbText(guid schema.GUID, age uint32) string { return fmt.Sprintf("%v age %d", guid, age) }

func (f *Finder) requestImage(i Image) (*request, error) {
	name, err := baseName(i.Name)
	if err != nil {
		return nil, err
	}
	need := imageText(i.TimeStamp, i.Size)
	return &request{
		name: name,
		id:   fmt.Sprintf("%08X%x", i.TimeStamp, i.Size),
		what: name + " " + need,
		check: func(path string) error {
			timeStamp, size, err := f.o.ReadImage(path)
			if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			if timeStamp != i.TimeStamp || size != i.Size {
				return &MismatchError{path, imageText(timeStamp, size), need}
			}
			return nil
		},
	}, nil
}

func imageText(timeStamp, size uint32) string {
	return fmt.Sprintf("time stamp %#x size %#x", timeStamp, size)
}

const maxName = 255 // bytes, of most file systems

// devices are the names of Windows devices, which are reserved with any extension.
var devices = map[string]bool{"con": true, "prn": true, "aux": true, "nul": true, "conin$": true, "conout$": true}

// baseName returns the last part of a path. It returns an error if that cannot be the name of a
// file on every system: names come from traces, become parts of paths and of addresses, and must
// not lead anywhere else.
func baseName(path string) (string, error) {
	name := path[strings.LastIndexAny(path, `\/`)+1:]
	if !isName(name) {
		return "", fmt.Errorf("%.300q is no name of a file and was %w", path, ErrNotFound)
	}
	return name, nil
}

func isName(name string) bool {
	if name == "" || len(name) > maxName || !utf8.ValidString(name) || strings.ContainsAny(name, `<>:"|?*/\`) {
		return false
	}
	if last := name[len(name)-1]; last == '.' || last == ' ' || name[0] == ' ' { // ., .., and characters that Windows strips
		return false
	}
	for _, c := range name {
		if c < ' ' || 0x7f <= c && c < 0xa0 {
			return false
		}
	}
	stem, _, _ := strings.Cut(strings.ToLower(name), ".")
	stem = strings.TrimRight(stem, " ")
	if port, ok := strings.CutPrefix(stem, "com"); ok && isPort(port) {
		return false
	}
	if port, ok := strings.CutPrefix(stem, "lpt"); ok && isPort(port) {
		return false
	}
	return !devices[stem]
}

// isPort reports whether a text is the number of a port; Windows also takes superscripts.
func isPort(text string) bool {
	return utf8.RuneCountInString(text) == 1 && strings.ContainsAny(text, "0123456789¹²³")
}
