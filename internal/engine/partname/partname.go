// Package partname names the parts of a dataset: traces, and bundles of traces. A name is one path
// element on every system, and the value of the column trace.
package partname

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/etl2parquet/etl2parquet/schema"
)

// maxNameLength leaves room for additions within the 255 bytes of a file name.
const maxNameLength = 120

// OfTraces gives each input the name of its trace in a dataset: its file
// name without ".etl", made safe as part of a path, and with a short hash of
// its path if another input has the same name.
func OfTraces(inputs []string) []string {
	names := make([]string, len(inputs))
	count := make(map[string]int)
	for i, input := range inputs {
		names[i] = safeName(input)
		count[Fold(names[i])]++ // some file systems ignore case
	}
	for i, input := range inputs {
		if count[Fold(names[i])] > 1 {
			names[i] = Hashed(input)
		}
	}
	return names
}

// Hashed returns the name of a trace, given a path or URL, for when the plain name is taken.
func Hashed(input string) string { return AllHashed(input)[0] }

// AllHashed returns names for a trace, for when the plain name is taken. Each has more of the
// path's hash than the one before, for the rare case that the shorter name is taken too.
func AllHashed(input string) []string { return withHashes(safeName(input), input) }

// Earlier returns the names that a trace can have in a dataset written before names kept the letters
// of all languages, if they differ from those of today.
func Earlier(input string) []string {
	name := nameOf(baseName(input), isEarlierRune)
	if name == safeName(input) {
		return nil
	}
	return append([]string{name}, withHashes(name, input)...)
}

func withHashes(name, input string) []string {
	if path.IsAbs(input) { // such as /dev/stdin, which has no drive on Windows
		input = path.Clean(input)
	} else if absolute, err := filepath.Abs(input); err == nil && !strings.Contains(input, "://") {
		input = absolute
	}
	sum := sha256.Sum256([]byte(filepath.ToSlash(input)))
	var names []string
	for size := 4; size <= len(sum); size *= 2 {
		names = append(names, name+"-"+hex.EncodeToString(sum[:size]))
	}
	return names
}

// safeName returns a name that is one path element on every system. Systems that decompose the
// letters of names and those that compose them agree on it.
func safeName(input string) string {
	return nameOf(norm.NFC.String(baseName(input)), schema.IsNameRune)
}

// baseName returns the last element of a path, without ".etl".
func baseName(input string) string {
	name := filepath.Base(filepath.ToSlash(input))
	if ext := filepath.Ext(name); strings.EqualFold(ext, ".etl") {
		name = name[:len(name)-len(ext)]
	}
	return name
}

// nameOf makes a name of the runes that are safe.
func nameOf(name string, isSafe func(rune) bool) string {
	name = strings.Map(func(r rune) rune {
		if isSafe(r) {
			return r
		}
		return '_'
	}, name)
	name = strings.Trim(name, ".")
	if isMarked(name) {
		name = "_" + name
	}
	if name == "" || name[0] == '_' || schema.IsDeviceName(name) || isReserved(name) {
		name = "trace" + name // readers skip names that begin with an underscore
	}
	return strings.TrimRight(cut(name, maxNameLength), ".")
}

// isMarked reports whether a name begins with a mark, which belongs to the character before it.
func isMarked(name string) bool {
	first, _ := utf8.DecodeRuneInString(name)
	return unicode.IsMark(first)
}

// cut returns the first characters of a name that have at most a number of bytes.
func cut(name string, most int) string {
	if len(name) <= most {
		return name
	}
	for !utf8.RuneStart(name[most]) {
		most--
	}
	return name[:most]
}

// maxFileName, together with what surrounds the name of a trace, is within the limits of all file
// systems.
const maxFileName = 200

// IsOfTrace reports whether a trace can have a name in a dataset: it must be one path element on
// every system, and must not be one that readers skip.
func IsOfTrace(name string) bool {
	if name == "" || len(name) > maxFileName || strings.ContainsAny(name[:1], "._") || isMarked(name) || strings.HasSuffix(name, ".") || schema.IsDeviceName(name) || isReserved(name) {
		return false
	}
	return norm.NFC.IsNormalString(name) && !strings.ContainsFunc(name, func(r rune) bool { return !schema.IsNameRune(r) })
}

// isReserved reports whether some system would take a name for the name of a bundle.
func isReserved(name string) bool {
	_, is := Bundle(strings.ToLower(name))
	return is
}

// bundles matches the names of bundles, and of a bundle's further files for a table, which have
// other columns: a number follows. No trace has such a name.
var bundles = regexp.MustCompile(`^(bundle_[0-9a-f]{16})(?:_[1-9][0-9]*)?$`)

// Bundle returns the bundle that a file belongs to, given the file's name without folder and
// suffix.
func Bundle(file string) (name string, is bool) {
	if !strings.HasPrefix(file, "bundle_") { // nearly no trace: the expression need not be compiled
		return "", false
	}
	m := bundles.FindStringSubmatch(file)
	if m == nil {
		return "", false
	}
	return m[1], true
}

// OfBundle returns the name of a bundle whose first trace is given.
func OfBundle(trace string) string {
	sum := sha256.Sum256([]byte(trace))
	return "bundle_" + hex.EncodeToString(sum[:8])
}

// isEarlierRune reports whether names kept a character before they kept letters of all languages.
func isEarlierRune(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || strings.ContainsRune("-_.", r)
}

// Fold returns a form that is the same for all names that some file system takes for one: those that
// differ only in case, or in how letters with marks are composed.
func Fold(name string) string {
	return strings.ToLower(strings.ToUpper(norm.NFC.String(name))) // some letters have two lower-case forms
}
