package archive

import (
	"fmt"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// nameless is the name of an entry without a name.
const nameless = "unnamed"

// cleanName turns a name in an archive into one that can be shown and would be harmless as a
// path: relative, without .., drives, devices, control characters or characters that Windows
// rejects. Bytes that are not UTF-8 are written in hex (%c4), so that different names remain
// different.
func cleanName(name string) string {
	var elements []string
	for _, e := range strings.FieldsFunc(name, func(r rune) bool { return r == '/' || r == '\\' }) {
		if e == "." {
			continue
		}
		elements = append(elements, cleanElement(e))
	}
	if len(elements) == 0 {
		return nameless
	}
	return strings.Join(elements, "/")
}

// maxElement is the longest element of a path that file systems accept.
const maxElement = 255

func cleanElement(element string) string {
	var s strings.Builder
	for i := 0; i < len(element); {
		r, n := utf8.DecodeRuneInString(element[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&s, "%%%02x", element[i])
		case !unicode.IsPrint(r) || strings.ContainsRune(`<>:"|?*`, r):
			s.WriteByte('_')
		default:
			s.WriteRune(r)
		}
		i += n
	}
	clean := s.String()
	if isDevice(clean) {
		clean = "_" + clean
	}
	for len(clean) > maxElement {
		_, n := utf8.DecodeLastRuneInString(clean)
		clean = clean[:len(clean)-n]
	}
	if trimmed := strings.TrimRight(clean, ". "); trimmed != clean {
		clean = trimmed + "_" // Windows would drop the trimmed characters
	}
	return clean
}

// isDevice reports whether a name is a device on Windows.
func isDevice(name string) bool {
	stem, _, _ := strings.Cut(strings.ToLower(name), ".")
	stem = strings.TrimRight(stem, " ")
	switch stem {
	case "con", "prn", "aux", "nul", "conin$", "conout$":
		return true
	}
	port, number := stem[:min(3, len(stem))], stem[min(3, len(stem)):]
	return (port == "com" || port == "lpt") && (len(number) == 1 && number >= "0" && number <= "9" || number == "¹" || number == "²" || number == "³")
}

// expandedName returns the name for the content of a compressed file.
func expandedName(name string) string {
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	switch ext := path.Ext(name); strings.ToLower(ext) {
	case ".gz", ".zst", ".zstd", ".xz", ".bz2":
		name = name[:len(name)-len(ext)]
	}
	return cleanName(name)
}

// paths makes the paths of a walk unique: an archive can contain a name twice.
type paths map[string]int

// unique returns the path, or trace~2.etl if trace.etl is taken.
func (p paths) unique(name string) string {
	if p[name]++; p[name] == 1 {
		return name
	}
	ext := path.Ext(name)
	for n := p[name]; ; n++ {
		other := fmt.Sprintf("%s~%d%s", name[:len(name)-len(ext)], n, ext)
		if p[other] == 0 {
			p[name], p[other] = n, 1
			return other
		}
	}
}
