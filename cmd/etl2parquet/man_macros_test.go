package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestManPage checks the macros of a page, and that no text of it is a macro or an escape of troff.
func TestManPage(t *testing.T) {
	page := manPage{
		Name: "tool-do", Short: "Do a thing", Version: "v1.2.3", Date: "2026-01-02",
		Synopsis:    "tool do INPUT... -o DIR",
		Description: ".SH is no macro here\nnor is\n'this, and \\fB no escape.\n\n  indented 'lines'\n  .stay\n\nThe \"end\".",
		Examples:    "  tool do 'a/**/*.etl' | less\n",
		Commands:    []manItem{{"sub", "Do a part"}},
		Options:     []manGroup{{"", []manItem{{"-o, --output DIR", "where to"}}}, {"More", []manItem{{"--quote \"", "text"}}}},
		Sections:    []manSection{{"EXIT STATUS", []manItem{{"0", "All is done."}}}, {Title: "EMPTY"}},
		SeeAlso:     []string{"tool", "tool-do-sub"},
	}
	const want = `.TH "TOOL\-DO" "1" "2026\-01\-02" "etl2parquet v1.2.3" "etl2parquet manual"
.SH "NAME"
tool\-do \- Do a thing
.SH "SYNOPSIS"
tool do INPUT... \-o DIR
.SH "DESCRIPTION"
.PP
\&.SH is no macro here
nor is
\(aqthis, and \efB no escape.
.PP
.nf
\&  indented \(aqlines\(aq
\&  .stay
.fi
.PP
The "end".
.SH "EXAMPLES"
.nf
\&  tool do \(aqa/**/*.etl\(aq | less
.fi
.SH "COMMANDS"
.TP
.B "sub"
Do a part
.SH "OPTIONS"
.TP
.B "\-o, \-\-output DIR"
where to
.SS "More"
.TP
.B "\-\-quote \(dq"
text
.SH "EXIT STATUS"
.TP
.B "0"
All is done.
.SH "SEE ALSO"
.BR "tool" "(1),"
.BR "tool\-do\-sub" "(1)"
`
	var got strings.Builder
	if err := page.write(&got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
