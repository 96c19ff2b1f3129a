package schema

import "strings"

// MatchProvider reports whether a pattern matches a provider, whose name may be "".
func MatchProvider(pattern string, id GUID, name string) bool {
	pattern = WithoutBraces(pattern)
	return Match(pattern, name) || Match(pattern, id.String())
}

// WithoutBraces returns a pattern of GUIDs without braces.
func WithoutBraces(pattern string) string {
	if guid, ok := strings.CutPrefix(pattern, "{"); ok {
		return strings.TrimSuffix(guid, "}")
	}
	return pattern
}

// MatchProcess reports whether a pattern matches the name of a process.
func MatchProcess(pattern, name string) bool {
	if name == "" {
		return false
	}
	if Match(pattern, name) {
		return true
	}
	stem, isProgram := strings.CutSuffix(strings.ToLower(name), ".exe")
	return isProgram && Match(pattern, stem)
}
