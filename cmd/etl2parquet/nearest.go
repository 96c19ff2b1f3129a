package main

import "strings"

// nearest returns the word that differs least from a text, or "" if all are
// too different to have been meant.
func nearest(text string, words []string) string {
	text = strings.ToLower(text)
	best, least := "", 1+max(2, len(text)/3)
	for _, word := range words {
		if d := distance(text, word); d < least {
			best, least = word, d
		}
	}
	if best != "" || len(text) < 3 {
		return best
	}
	for _, word := range words {
		if strings.Contains(word, text) {
			return word
		}
	}
	return ""
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
