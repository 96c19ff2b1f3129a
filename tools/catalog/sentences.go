package main

import (
	"strings"
	"unicode"

	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/packed"
	"github.com/etl2parquet/etl2parquet/schema"
)

// The source has texts of tasks and opcodes without their spaces: Oncreatecalls is "On create
// calls", which is a sentence and no name. Such a text is recognized by the words in it.

// Limits on the words of names.
const (
	leastSquashed = 13 // letters of a run that may be several words: shorter words look like several, too
	leastWord     = 3  // letters of a word, unless it is one of smallWords
	mostWord      = 12 // letters of a word in a sentence: a longer run may itself be one
	mostWords     = 2  // a text of more words in one run is a sentence
	longest       = 19 // letters of a run: no word is longer
	leastMarked   = 8  // leastSquashed of a text with punctuation, where two words are a sentence
	leastUsers    = 2  // providers that use a word
)

// smallWords are the words that make sentences.
var smallWords = func() map[string]bool {
	words := make(map[string]bool)
	for _, word := range strings.Fields("a an and are as at be been being by during for from has have if in into is it its just not of on only or over than that the then there this to used via was were when while will with") {
		words[word] = true
	}
	return words
}()

// vocabulary are the words in the names of several providers.
type vocabulary map[string]bool

// newVocabulary collects the words in names of tasks, opcodes and fields.
func newVocabulary(providers []packed.Provider) vocabulary {
	users := make(map[string]int)
	for i := range providers {
		own := make(map[string]bool)
		for _, ev := range providers[i].Events {
			addWords(own, ev.TaskName)
			addWords(own, ev.OpcodeName)
			addFieldWords(own, ev.Fields)
		}
		for word := range own {
			users[word]++
		}
	}
	v := make(vocabulary)
	for word := range smallWords {
		v[word] = true
	}
	for word, n := range users {
		if n >= leastUsers && len(word) >= leastWord && len(word) <= mostWord {
			v[word] = true
		}
	}
	return v
}

func addFieldWords(words map[string]bool, fields []schema.Field) {
	for i := range fields {
		addWords(words, fields[i].OriginalName())
		addFieldWords(words, fields[i].Struct)
	}
}

func addWords(words map[string]bool, name string) {
	for _, run := range runs(name) {
		words[strings.ToLower(run)] = true
	}
}

// runs divides a name into runs of small letters, each with the capital letter before it. Capital
// letters alone are no run: they are identifiers and abbreviations.
func runs(name string) (list []string) {
	letters := []rune(name)
	for i := 0; i < len(letters); {
		start := i
		if unicode.IsUpper(letters[i]) {
			i++
		}
		for i < len(letters) && unicode.IsLower(letters[i]) {
			i++
		}
		if i-start > 1 || i > start && unicode.IsLower(letters[start]) {
			list = append(list, string(letters[start:i]))
		}
		i = max(i, start+1)
	}
	return list
}

// isName reports whether a text of the source can be part of a name.
func (v vocabulary) isName(text string) bool {
	if !schema.IsNameText(text) {
		return false
	}
	least, most := leastSquashed, mostWords
	if strings.HasSuffix(text, ".") || strings.Contains(text, "(") {
		least, most = leastMarked, 1
	}
	for _, run := range runs(text) {
		if len(run) > longest || len(run) >= least && v.isSentence(strings.ToLower(run), most) {
			return false
		}
	}
	return true
}

// isSentence reports whether a run consists of more than most words. Its first letter may be the
// last one of an abbreviation before it, as in UIislaunched.
func (v vocabulary) isSentence(run string, most int) bool {
	return max(v.words(run), v.words(run[1:])) > most
}

// words returns the least number of words that a run consists of, or 0 if it does not consist of
// known words.
func (v vocabulary) words(run string) int {
	least := make([]int, len(run)+1) // for each beginning of the run; 0 if it is no words
	for end := 1; end <= len(run); end++ {
		for start := max(0, end-mostWord); start < end; start++ {
			if start > 0 && least[start] == 0 || !v[run[start:end]] {
				continue
			}
			if n := least[start] + 1; least[end] == 0 || n < least[end] {
				least[end] = n
			}
		}
	}
	return least[len(run)]
}
