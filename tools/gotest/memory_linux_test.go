package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

const temporaryTest = `package p

import ("os"; "path/filepath"; "testing")

func TestTemporary(t *testing.T) {
	for _, folder := range []string{os.TempDir(), filepath.Dir(filepath.Dir(t.TempDir()))} {
		if folder != os.Getenv("WANT") {
			t.Errorf("temporary files are in %s", folder)
		}
	}
}
`

// TestWithin checks the places of both kinds of temporary folders.
func TestWithin(t *testing.T) {
	module, memory := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{"go.mod": "module p\n", "p_test.go": temporaryTest} {
		if err := os.WriteFile(filepath.Join(module, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var stdout, stderr bytes.Buffer
	status, err := run(module, append(within(memory), "./..."), append(os.Environ(), "WANT="+memory), &stdout, &stderr)
	if status != 0 || err != nil {
		t.Errorf("status %d, %v:\n%s%s", status, err, &stdout, &stderr)
	}
}
