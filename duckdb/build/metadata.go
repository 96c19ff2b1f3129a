package main

import (
	"bytes"
	"fmt"
	"slices"
)

// apiVersion is the version of DuckDB's C API that the extension needs: that of DuckDB 1.2.
const apiVersion = "v1.2.0"

// The sizes of the metadata, which DuckDB reads from the end of the file: eight fields, the
// last one first, and space for a signature. They are the payload of a custom section of
// WebAssembly, so that extensions of that platform have the same footer.
const (
	fieldSize     = 32
	signatureSize = 256
	footerSize    = 22 + 8*fieldSize + signatureSize
)

// sectionHead is the head of the section: its kind, its size (531), and its name.
const sectionHead = "\x00\x93\x04\x10duckdb_signature\x80\x04"

// metadata returns the footer that DuckDB requires after the library, with an empty signature.
func metadata(platform, version string) ([]byte, error) {
	fields := []string{"4", platform, apiVersion, version, "C_STRUCT", "", "", ""} // 4: the kind of metadata
	slices.Reverse(fields)
	var b bytes.Buffer
	b.WriteString(sectionHead)
	for _, f := range fields {
		if len(f) > fieldSize {
			return nil, fmt.Errorf("%q has more than %d bytes", f, fieldSize)
		}
		b.WriteString(f)
		b.Write(make([]byte, fieldSize-len(f)))
	}
	b.Write(make([]byte, signatureSize))
	return b.Bytes(), nil
}
