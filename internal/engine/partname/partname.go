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
		count[strings.ToLower(names[i])]++ // some file systems ignore case
	}
	for i, input := range inputs {
		if count[strings.ToLower(names[i])] > 1 {
			names[i] = Hashed(input)
		}
	}
	return names
}

// Hashed returns the name of a trace, given a path or URL, for when the plain name is taken.
func Hashed(input string) string { return AllHashed(input)[0] }

// AllHashed returns names for a trace, for when the plain name is taken. Each has more of the
// path's hash than the one before, for the rare case that the shorter name is taken too.
func AllHashed(input string) []string {
	if path.IsAbs(input) { // such as /dev/stdin, which has no drive on Windows
		input = path.Clean(input)
	} else if absolute, err := filepath.Abs(input); err == nil && !strings.Contains(input, "://") {
		input = absolute
	}
	sum := sha256.Sum256([]byte(filepath.ToSlash(input)))
	var names []string
	for size := 4; size <= len(sum); size *= 2 {
		names = append(names, safeName(input)+"-"+hex.EncodeToString(sum[:size]))
	}
	return names
}

// safeName returns a name that is one path element on every system, and needs no escape in a URL.
func safeName(input string) string {
	name := filepath.Base(filepath.ToSlash(input))
	if ext := filepath.Ext(name); strings.EqualFold(ext, ".etl") {
		name = name[:len(name)-len(ext)]
	}
	name = strings.Map(func(r rune) rune {
		if isSafe(r) {
			return r
		}
		return '_'
	}, name)
	name = strings.Trim(name, ".")
	if name == "" || name[0] == '_' || schema.IsDeviceName(name) || isReserved(name) {
		name = "trace" + name // readers skip names that begin with an underscore
	}
	return strings.TrimRight(name[:min(len(name), maxNameLength)], ".")
}

// maxFileName, together with what surrounds the name of a trace, is within the limits of all file
// systems.
const maxFileName = 200

// IsOfTrace reports whether a trace can have a name in a dataset: it must be one path element on
// every system, and must not be one that readers skip.
func IsOfTrace(name string) bool {
	if name == "" || len(name) > maxFileName || strings.ContainsAny(name[:1], "._") || strings.HasSuffix(name, ".") || schema.IsDeviceName(name) || isReserved(name) {
		return false
	}
	return !strings.ContainsFunc(name, func(r rune) bool { return !isSafe(r) })
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

func isSafe(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || strings.ContainsRune("-_.", r)
}

// Fold returns a form that is the same for all names that differ only in case.
func Fold(name string) string {
	return strings.ToLower(strings.ToUpper(name)) // some letters have two lower-case forms
}
