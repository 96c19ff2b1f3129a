// Package catalogtest makes files that describe events, for tests.
package catalogtest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/schema"
)

// Manifest returns a manifest of providers, each with the events 1 and 2. The
// symbols of the events begin with symbol.
func Manifest(symbol string, providers ...schema.GUID) string {
	var b strings.Builder
	b.WriteString("<instrumentationManifest>")
	for _, id := range providers {
		fmt.Fprintf(&b, `<provider name="P" guid="{%v}"><event value="1" symbol="%s1"/><event value="2" symbol="%s2"/></provider>`, id, symbol, symbol)
	}
	b.WriteString("</instrumentationManifest>")
	return b.String()
}

// GUID returns a GUID for each number.
func GUID(n int) schema.GUID { return schema.GUID{byte(n), byte(n >> 8), 0xee} }

// WriteFiles writes files and makes them an hour old.
func WriteFiles(t testing.TB, folder string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		hour := time.Now().Add(-time.Hour)
		if err := os.Chtimes(path, hour, hour); err != nil {
			t.Fatal(err)
		}
	}
}
