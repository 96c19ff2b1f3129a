package schema

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

func itoa(n int) string { return strconv.Itoa(n) }

// Limits on names, in bytes. Names of folders leave room for additions.
const (
	maxColumnName = 100
	maxFolderName = 80
)

// ColumnNames makes names of columns from the names of the fields of an event or structure. They
// are in snake_case, distinct and not empty, and contain only letters, digits and underscores.
func ColumnNames(fields []string) []string {
	names := make([]string, len(fields))
	taken := make(map[string]bool, len(fields))
	next := make(map[string]int) // the next suffix of a name; without it, thousands of equal names take seconds
	for i, field := range fields {
		name := snakeCase(field)
		if name == "" {
			name = "field_" + itoa(i+1)
		}
		unique := name
		n := max(next[name], 2)
		for ; taken[unique]; n++ {
			unique = name + "_" + itoa(n)
		}
		taken[unique], next[name] = true, n
		names[i] = unique
	}
	return names
}

// snakeCase turns ThreadID and thread-id into thread_id.
func snakeCase(name string) string {
	var b strings.Builder
	var before, last rune // the two runes before, of the source
	runes := []rune(strings.ToValidUTF8(name[:min(len(name), 4*maxColumnName)], ""))
	for i, r := range runes {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			r = '_'
		}
		startsWord := unicode.IsUpper(r) && (unicode.IsLower(last) || unicode.IsDigit(last) && !unicode.IsUpper(before) ||
			unicode.IsUpper(last) && i+1 < len(runes) && unicode.IsLower(runes[i+1]) && !oneLetter(runes[i:]))
		if s := b.String(); s != "" && s[len(s)-1] != '_' && (startsWord || r == '_') {
			b.WriteByte('_')
		}
		if r != '_' {
			b.WriteRune(unicode.ToLower(r))
		}
		before, last = last, r
	}
	return shorten(strings.TrimRight(b.String(), "_"), maxColumnName)
}

// oneLetter reports whether a single small letter continues an abbreviation here, as in
// ProcessIDs and IPv6.
func oneLetter(rest []rune) bool {
	return rest[1] == 's' && (len(rest) == 2 || !unicode.IsLower(rest[2])) || len(rest) > 2 && unicode.IsDigit(rest[2])
}

// FolderName turns any name into an element of a path that is safe on every system and
// needs no escape in the name of a Hive partition. Names that differ only in unsafe
// characters become the same.
func FolderName(name string) string {
	name = strings.Map(func(r rune) rune {
		if IsNameRune(r) {
			return r
		}
		return '_'
	}, norm.NFC.String(strings.TrimSpace(name)))
	name = strings.Trim(name, ".")
	if first, _ := utf8.DecodeRuneInString(name); unicode.IsMark(first) {
		name = "_" + name // it must not join the x
	}
	name = strings.TrimRight(shorten(name, maxFolderName), ".")
	if name == "" || name[0] == '_' || IsDeviceName(name) {
		name = "x" + name // readers skip names that begin with an underscore
	}
	return name
}

// shorten cuts a long name, and appends a hash of the whole name.
func shorten(name string, most int) string {
	if len(name) <= most {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	const hashed = 9
	cut := most - hashed
	for !utf8.RuneStart(name[cut]) {
		cut--
	}
	return name[:cut] + "_" + hex.EncodeToString(sum[:4])
}

// IsNameRune reports whether the name of a folder or a file in a dataset may have a character:
// letters and digits of all languages with their marks, and "-", "_" and ".". It may not have
// characters that are invisible or change the direction of a text.
func IsNameRune(r rune) bool {
	switch {
	case r <= unicode.MaxASCII:
		return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || strings.ContainsRune("-_.", r)
	case r == utf8.RuneError || unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector):
		return false
	}
	return unicode.In(r, unicode.Letter, unicode.Mark, unicode.Nd)
}

// IsDeviceName reports whether Windows would open a device for the name of a file.
func IsDeviceName(name string) bool {
	stem, _, _ := strings.Cut(strings.ToLower(name), ".")
	switch stem {
	case "con", "prn", "aux", "nul", "conin$", "conout$":
		return true
	}
	return len(stem) == 4 && (strings.HasPrefix(stem, "com") || strings.HasPrefix(stem, "lpt")) && stem[3] >= '0' && stem[3] <= '9'
}
