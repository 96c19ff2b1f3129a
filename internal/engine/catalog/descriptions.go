package catalog

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"slices"
)

// Descriptions identify the user's files with which a trace was converted.
type Descriptions struct {
	All  string        `json:"all"`  // fingerprint of the contents of all files, in order
	Used []Description `json:"used"` // the files that describe events of the trace, by kind and name
}

// Description is a file of a user that describes events.
type Description struct {
	Kind        DescriptionKind `json:"kind"`
	Name        string          `json:"name"`        // of the file, without its folder
	Fingerprint string          `json:"fingerprint"` // of its contents
}

// DescriptionKind is the flag with which a file was given.
type DescriptionKind string

// The kinds of description.
const (
	ManifestDescription DescriptionKind = "manifest" // or a MOF file
	TMFDescription      DescriptionKind = "tmf"
	CatalogDescription  DescriptionKind = "catalog"
	InputDescription    DescriptionKind = "input" // another trace of the run
)

// files names the files of a kind, for messages about folders.
func (k DescriptionKind) files() string {
	if k == TMFDescription {
		return "TMF file (.tmf) or PDB (.pdb)"
	}
	return "manifest (.man, .xml) or MOF file"
}

func compareDescriptions(a, b Description) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Fingerprint, b.Fingerprint))
}

// fingerprintOf returns the fingerprint of the contents of a file.
func fingerprintOf(contents []byte) string {
	sum := sha256.Sum256(contents)
	return hex.EncodeToString(sum[:16])
}

// description returns the description of the file for a commit record.
func (f *schemaFile) description() Description {
	return Description{f.kind, filepath.Base(f.path), f.fingerprint}
}

// knownFrom returns where the descriptions in the file are.
func (f *schemaFile) knownFrom() KnownFrom { return FromFile(filepath.Base(f.path)) }

// describes reports whether the file could be read and describes any event.
func (f *schemaFile) describes() bool {
	return f.fingerprint != "" && (f.kind != ManifestDescription || len(f.providers) > 0)
}

// Descriptions returns the files that describe events, each once, in order.
func (s *Files) Descriptions() []Description {
	if s == nil {
		return nil
	}
	var list []Description
	seen := make(map[Description]bool)
	for _, f := range s.files {
		if d := f.description(); f.describes() && !seen[d] {
			seen[d] = true
			list = append(list, d)
		}
	}
	return list
}

// Record returns the descriptions for a commit record, or nil if there are none. The
// files that a trace uses are known only after the index pass.
func (s *Files) Record() *Descriptions {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == "" { // computed once, because it is the same for all traces
		s.all = fingerprintOfAll(s.Descriptions(), s.withoutWindows)
	}
	if s.all == "" {
		return nil
	}
	return &Descriptions{All: s.all, Used: []Description{}}
}

// fingerprintOfAll returns the fingerprint of the contents of all files, or "".
func fingerprintOfAll(list []Description, withoutWindows bool) string {
	var text []byte
	if withoutWindows {
		text = append(text, "catalog "+NoCatalog+"\n"...)
	}
	for _, d := range list {
		text = append(text, string(d.Kind)+d.Fingerprint+"\n"...)
	}
	if text == nil {
		return ""
	}
	return fingerprintOf(text)
}

// Fingerprint returns the fingerprint of all files, or "".
func (d *Descriptions) Fingerprint() string {
	if d == nil {
		return ""
	}
	return d.All
}

// With returns the descriptions with further used files.
func (d *Descriptions) With(used []Description) *Descriptions {
	if d == nil {
		return nil
	}
	all := append(slices.Clone(d.Used), used...)
	slices.SortFunc(all, compareDescriptions)
	return &Descriptions{All: d.All, Used: slices.Compact(all)}
}
