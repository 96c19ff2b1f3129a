package symbols

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/base/fileid"
)

// Record says which symbols a trace was converted with, for its commit record.
type Record struct {
	Found   []Image `json:"found,omitempty"`   // images that had symbols
	Missing []Image `json:"missing,omitempty"` // images that had none
}

// Record returns the symbols that a trace was converted with. It is nil if there was no set.
func (t *Trace) Record() *Record {
	if t == nil {
		return nil
	}
	r := new(Record)
	for _, u := range t.Uses() {
		if u.Kind == "" {
			r.Missing = append(r.Missing, u.Image)
		} else {
			r.Found = append(r.Found, u.Image)
		}
	}
	return r
}

// Gained returns why converting a trace again would gain by this set, as a clause for messages:
// "there are symbols of a.dll now", or "" if it would not. had are the symbols it was converted
// with.
func (s *Set) Gained(had *Record) string {
	switch {
	case s == nil:
		return ""
	case had == nil:
		return "it was converted without symbols"
	}
	var found []string
	for i := range had.Missing {
		if s.has(had.Missing[i]) {
			found = append(found, had.Missing[i].Name)
		}
	}
	if found == nil {
		return ""
	}
	return "there are symbols of " + FirstNames(found) + " now"
}

// Lost returns the symbols that a trace was converted with and that this set lacks, by the names of
// their PDBs, or of their images if the PDB is unknown. A nil set lacks them all.
func (s *Set) Lost(had *Record) []string {
	if had == nil {
		return nil
	}
	var lost []string
	for i := range had.Found {
		if m := &had.Found[i]; s == nil || !s.has(*m) {
			lost = append(lost, cmp.Or(m.PDB, m.Name))
		}
	}
	slices.Sort(lost)
	return slices.Compact(lost)
}

// has reports whether the set has symbols for an image.
func (s *Set) has(image Image) bool {
	m := s.module(image)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.locate()
	return m.at.File != nil
}

// maxNames bounds the names in a message.
const maxNames = 5

// FirstNames returns the first names of a list, and the number of the others.
func FirstNames(list []string) string {
	if more := len(list) - maxNames; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(list[:maxNames], ", "), more)
	}
	return strings.Join(list, ", ")
}

// State returns a text that changes when the symbols of images do: when other files have them, these
// files have changed, or images without symbols have some now. ok is false if a file cannot be identified.
func (s *Set) State(images []Image) (state string, ok bool) {
	h := sha256.New()
	for i := range images {
		m := s.module(images[i])
		m.mu.Lock()
		m.locate()
		at := m.at.File
		m.mu.Unlock()
		if at == nil {
			fmt.Fprintf(h, "none\n")
			continue
		}
		id, err := fileid.Of(at.Path)
		if err != nil {
			return "", false
		}
		fmt.Fprintf(h, "%q %s\n", at.Path, &id)
	}
	return hex.EncodeToString(h.Sum(nil)), true
}
