package texts

import (
	"slices"
	"strings"
)

// mostNearest bounds the names that Nearest returns.
const mostNearest = 3

// Nearest returns the names most similar to a text, in their order and at most three, or none if all are
// too different. It ignores case. If no name is similar, it returns names that contain the text.
func Nearest(text string, names []string) []string {
	text = strings.ToLower(text)
	least := max(2, len(text)/3)
	var nearest []string
	seen := make(map[string]bool, len(names))
	for _, name := range names {
		if name == "" || seen[name] || len(name)-len(text) > least || len(text)-len(name) > least {
			continue
		}
		seen[name] = true
		switch d := distance(text, strings.ToLower(name)); {
		case d < least || d == least && nearest == nil:
			nearest, least = append(nearest[:0], name), d
		case d == least && len(nearest) < mostNearest:
			nearest = append(nearest, name)
		}
	}
	if nearest != nil || len(text) < 3 {
		return nearest
	}
	for _, name := range names {
		if len(nearest) < mostNearest && !slices.Contains(nearest, name) && strings.Contains(strings.ToLower(name), text) {
			nearest = append(nearest, name)
		}
	}
	return nearest
}

// DidYouMean returns a question that suggests the names, of which there must be at least one.
func DidYouMean(names []string) string {
	return "did you mean " + strings.Join(names, " or ") + "?"
}

// distance counts the letters to insert, remove or replace between two words.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
