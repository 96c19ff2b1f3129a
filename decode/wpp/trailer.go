package wpp

import (
	"slices"
	"strconv"
	"strings"
)

// levelNames are the names of the standard levels, by number (evntrace.h).
var levelNames = []string{
	"TRACE_LEVEL_NONE", "TRACE_LEVEL_CRITICAL", "TRACE_LEVEL_ERROR", "TRACE_LEVEL_WARNING", "TRACE_LEVEL_INFORMATION", "TRACE_LEVEL_VERBOSE",
	"TRACE_LEVEL_RESERVED6", "TRACE_LEVEL_RESERVED7", "TRACE_LEVEL_RESERVED8", "TRACE_LEVEL_RESERVED9",
}

// pair is a KEY=value in the comment at the end of a line.
type pair struct{ key, value string }

// pairs parses the pairs of a comment. A value extends to the next key: it can contain
// spaces, as the names of C++ functions do.
func pairs(comment string) []pair {
	var list []pair
	from := 0 // the start of the last key's value
	end := func(at int) {
		if len(list) > 0 {
			list[len(list)-1].value = strings.TrimSpace(comment[from:at])
		}
	}
	for at := 0; at < len(comment); {
		word, _, _ := strings.Cut(comment[at:], " ")
		if key, _, ok := strings.Cut(word, "="); ok && isKey(key) {
			end(at)
			list = append(list, pair{key: strings.ToUpper(key)})
			from = at + len(key) + 1
		}
		at += len(word) + 1
	}
	end(len(comment))
	return list
}

func isKey(s string) bool {
	for _, c := range s {
		if (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && c != '_' {
			return false
		}
	}
	return s != ""
}

// setTrailer sets the fields of a message from the comment at the end of its line.
func (m *Message) setTrailer(comment string) {
	for _, p := range pairs(comment) {
		switch p.key {
		case "LEVEL":
			m.LevelName = p.value
		case "FLAGS", "FLAG":
			m.Flags = p.value
		case "FUNC":
			m.Function = p.value
		case "KEYWORD", "KEYWORDS":
			m.Keyword = p.value
		case "COMPNAME":
			m.Component = p.value
		case "SUBCOMP":
			m.Part = p.value
		}
	}
	level := standardLevel(m.LevelName)
	if level < 0 && standardLevel(m.Flags) >= 0 { // DoTraceMessage swaps them
		m.LevelName, m.Flags = m.Flags, m.LevelName
		level = standardLevel(m.LevelName)
	}
	if level >= 0 {
		m.Level, m.LevelName = uint8(level), levelNames[level]
	}
}

// standardLevel returns the number of a standard level, given by its name or number, or -1.
func standardLevel(name string) int {
	if n, err := strconv.ParseUint(name, 0, 8); err == nil && n < uint64(len(levelNames)) {
		return int(n)
	}
	return slices.Index(levelNames, name)
}
