package wpp

import (
	"slices"
	"strconv"
	"strings"
)

// levelNames are those of the standard levels, by number (evntrace.h).
var levelNames = []string{
	"TRACE_LEVEL_NONE", "TRACE_LEVEL_CRITICAL", "TRACE_LEVEL_ERROR", "TRACE_LEVEL_WARNING", "TRACE_LEVEL_INFORMATION", "TRACE_LEVEL_VERBOSE",
	"TRACE_LEVEL_RESERVED6", "TRACE_LEVEL_RESERVED7", "TRACE_LEVEL_RESERVED8", "TRACE_LEVEL_RESERVED9",
}

// pair is a KEY=value of the comment behind a line.
type pair struct{ key, value string }

// pairs reads the pairs of a comment. A value goes to the next key: it may have
// spaces, as functions of C++ do.
func pairs(comment string) []pair {
	var list []pair
	from := 0 // where the value of the last key begins
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

// setTrailer takes over what the comment behind a message says.
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

// standardLevel returns the number of a level, which may be one; -1 if it is
// not standard.
func standardLevel(name string) int {
	if n, err := strconv.ParseUint(name, 0, 8); err == nil && n < uint64(len(levelNames)) {
		return int(n)
	}
	return slices.Index(levelNames, name)
}
