package main

import (
	"bytes"
	"fmt"
	"strings"
)

const head = `Third-party notices of etl2parquet

The program etl2parquet contains the software below, on one system or another.
All of its licences go with Apache-2.0, under which etl2parquet is (LICENSE).
"make notices" writes this file, and "make check" compares it: do not edit it.

`

// notices returns the text of the file.
func notices(modules []*module) []byte {
	var b bytes.Buffer
	b.WriteString(head)
	width := 0
	for _, m := range modules {
		width = max(width, len(m.title()))
	}
	for _, m := range modules {
		fmt.Fprintf(&b, "  %-*s  %s\n", width, m.title(), strings.Join(m.licences, ", "))
	}
	first := make(map[string]string) // by text, where it stands
	for _, m := range modules {
		fmt.Fprintf(&b, "\n%s\n%s\n", strings.Repeat("=", 80), m.title())
		for _, f := range m.files {
			fmt.Fprintf(&b, "\n%s\n%s\n", f.name, strings.Repeat("-", len(f.name)))
			if where, ok := first[f.text]; ok {
				fmt.Fprintf(&b, "The same text as %s, above.\n", where)
				continue
			}
			first[f.text] = f.name + " of " + m.title()
			b.WriteString(f.text)
		}
	}
	return b.Bytes()
}

func (m *module) title() string { return strings.TrimSpace(m.path + " " + m.version) }
