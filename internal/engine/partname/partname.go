// Package partname names the parts of a dataset: traces, and bundles of traces. A name is one
// element of a path on every system, and what the column trace says.
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

// maxNameLength leaves room in the 255 bytes of a file name for what is added.
const maxNameLength = 120

// OfTraces gives each input the name of its trace in a dataset: its file
// name without ".etl", made safe as part of a path, and with a short hash of
// its path if another input has the same name.
func OfTraces(inputs []string) []string {
	names := make([]string, len(inputs))
	count := make(map[string]int)
	for i, input := range inputs {
		names[i] = safeName(input)
		count[strings.ToLower(names[i])]++ // some file systems do not tell case apart
	}
	for i, input := range inputs {
		if count[strings.ToLower(names[i])] > 1 {
			names[i] = Hashed(input)
		}
	}
	return names
}

// Hashed is the name of a trace where the plain one is taken by another:
// that of a path, or of a URL.
func Hashed(input string) string { return AllHashed(input)[0] }

// AllHashed returns names for a trace where the plain one is taken by
// another: each has more of the hash of the path than the one before, for the
// rare case that this is taken as well.
func AllHashed(input string) []string {
	if path.IsAbs(input) { // such as that of standard input, which Windows has on no drive
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

// safeName makes a name that is one path element on every system, and needs no
// escape in a URL.
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
		name = "trace" + name // readers skip what begins with an underscore
	}
	return strings.TrimRight(name[:min(len(name), maxNameLength)], ".")
}

// maxFileName is what file systems allow, less than that on all of them
// together with what is put around the name of a trace.
const maxFileName = 200

// IsOfTrace reports whether a trace can have a name in a dataset: whether it
// is one path element on every system, that readers do not pass over.
func IsOfTrace(name string) bool {
	if name == "" || len(name) > maxFileName || strings.ContainsAny(name[:1], "._") || strings.HasSuffix(name, ".") || schema.IsDeviceName(name) || isReserved(name) {
		return false
	}
	return !strings.ContainsFunc(name, func(r rune) bool { return !isSafe(r) })
}

// isReserved reports whether a name is that of a bundle, on some system.
func isReserved(name string) bool {
	_, is := Bundle(strings.ToLower(name))
	return is
}

// bundles matches the names of bundles, and of their further files of a table, which have other
// columns: a number follows. No trace has such a name.
var bundles = regexp.MustCompile(`^(bundle_[0-9a-f]{16})(?:_[1-9][0-9]*)?$`)

// Bundle returns the bundle that a file is of, by its name without folder and suffix.
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

// Fold returns what is the same for all names that are one where case does
// not matter.
func Fold(name string) string {
	return strings.ToLower(strings.ToUpper(name)) // some letters have two small ones
}
