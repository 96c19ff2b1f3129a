package policy

import (
	"go/scanner"
	"go/token"
	"path"
	"regexp"
	"strings"
	"testing"
)

// bannedWords are words that hide who does what. Name the person, program or thing, and use verbs such
// as list, report and detect. A phrase may continue on the next line of a comment.
var bannedWords = regexp.MustCompile(`(?i)\b(nobody|somebody|told|` + phrase("so many") + `|` + phrase("at hand") + `|` +
	phrase("of one's own") + `|` + phrase("is said") + `)\b`)

// phrase returns a pattern for words that may be separated by a line break inside a comment.
func phrase(words string) string {
	return strings.ReplaceAll(words, " ", `\b(?:[ \t]|\n[ \t]*(?://|#|--|\*|>)?)+`)
}

// checkedKinds are the endings of the names of checked files.
var checkedKinds = map[string]bool{".go": true, ".md": true, ".py": true, ".sql": true, ".sh": true}

// TestWords finds banned words in the comments, messages and documentation of the repository.
func TestWords(t *testing.T) {
	for _, name := range repositoryFiles(t) {
		if !checkedKinds[path.Ext(name)] {
			continue
		}
		text := withoutQuotations(name, textOf(t, name))
		for _, at := range bannedWords.FindAllStringIndex(text, -1) {
			t.Errorf("%s:%d: %q: say who does what", name, 1+strings.Count(text[:at[0]], "\n"), text[at[0]:at[1]])
		}
	}
}

// quotation matches a text in quotes, or a code span, on one line.
var quotation = regexp.MustCompile("\"[^\"\n]*\"|`[^`\n]*`")

// withoutQuotations replaces the quotations in a text by blanks: strings of Go tests, which are inputs or
// outputs of programs, and quotations in pages and in comments of Go.
func withoutQuotations(name, text string) string {
	switch {
	case strings.HasSuffix(name, ".go"):
		return withoutGoQuotations(text, strings.HasSuffix(name, "_test.go"))
	case strings.HasSuffix(name, ".md"):
		return quotation.ReplaceAllStringFunc(text, blanks)
	}
	return text
}

// withoutGoQuotations does this for a Go file. Strings are quotations only in tests; in other files they
// are messages.
func withoutGoQuotations(text string, isTest bool) string {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(text))
	s.Init(file, []byte(text), nil, scanner.ScanComments)
	out := []byte(text)
	for {
		pos, kind, literal := s.Scan()
		if kind == token.EOF {
			return string(out)
		}
		switch {
		case kind == token.COMMENT:
			literal = quotation.ReplaceAllStringFunc(literal, blanks)
		case kind == token.STRING && isTest:
			literal = blanks(literal)
		default:
			continue
		}
		copy(out[file.Offset(pos):], literal)
	}
}

// blanks returns a text with the same lines, in which each byte is a blank.
func blanks(text string) string {
	out := []byte(text)
	for i := range out {
		if out[i] != '\n' {
			out[i] = ' '
		}
	}
	return string(out)
}

// aFlag is a flag of a command line.
var aFlag = regexp.MustCompile(`--[a-z][a-z-]*`)

// TestLibraryNamesNoFlags checks that the messages of the library speak of options: only the command
// knows its flags, and Python, Spark and DuckDB have other words for an option.
func TestLibraryNamesNoFlags(t *testing.T) {
	for _, name := range repositoryFiles(t) {
		top, _, _ := strings.Cut(name, "/")
		isLibrary := top != "cmd" && top != "tools" && top != "python" && top != "duckdb" && top != "interop"
		if path.Ext(name) != ".go" || !isLibrary || strings.HasSuffix(name, "_test.go") || strings.HasSuffix(path.Dir(name), "test") {
			continue
		}
		contents := []byte(textOf(t, name))
		var s scanner.Scanner
		file := token.NewFileSet().AddFile("", -1, len(contents))
		s.Init(file, contents, nil, 0)
		for {
			pos, kind, literal := s.Scan()
			if kind == token.EOF {
				break
			}
			if found := aFlag.FindString(literal); kind == token.STRING && found != "" {
				t.Errorf("%s:%d: %q names a flag: name the option, and let the command add its flag", name, file.Line(pos), found)
			}
		}
	}
}
