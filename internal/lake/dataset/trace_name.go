package dataset

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"path/filepath"
	"strings"

	"github.com/etl2parquet/etl2parquet/schema"
)

// maxNameLength leaves room in the 255 bytes of a file name for what is added.
const maxNameLength = 120

// TraceNames gives each input the name of its trace in a dataset: its file
// name without ".etl", made safe as part of a path, and with a short hash of
// its path if another input has the same name.
func TraceNames(inputs []string) []string {
	names := make([]string, len(inputs))
	count := make(map[string]int)
	for i, input := range inputs {
		names[i] = safeName(input)
		count[strings.ToLower(names[i])]++ // some file systems do not tell case apart
	}
	for i, input := range inputs {
		if count[strings.ToLower(names[i])] > 1 {
			names[i] = HashedName(input)
		}
	}
	return names
}

// HashedName is the name of a trace where the plain one is taken by another:
// that of a path, or of a URL.
func HashedName(input string) string { return HashedNames(input)[0] }

// HashedNames returns names for a trace where the plain one is taken by
// another: each has more of the hash of the path than the one before, for the
// rare case that this is taken as well.
func HashedNames(input string) []string {
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

// IsTraceName reports whether a trace can have a name in a dataset: whether it
// is one path element on every system, that readers do not pass over.
func IsTraceName(name string) bool {
	if name == "" || len(name) > maxFileName || strings.ContainsAny(name[:1], "._") || strings.HasSuffix(name, ".") || schema.IsDeviceName(name) || isReserved(name) {
		return false
	}
	return !strings.ContainsFunc(name, func(r rune) bool { return !isSafe(r) })
}

// isReserved reports whether a name is that of a bundle, on some system.
func isReserved(name string) bool { return bundleNames.MatchString(strings.ToLower(name)) }

func isSafe(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || strings.ContainsRune("-_.", r)
}

// foldCase returns what is the same for all names that are one where case does
// not matter.
func foldCase(name string) string {
	return strings.ToLower(strings.ToUpper(name)) // some letters have two small ones
}
