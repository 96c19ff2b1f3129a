package main

import (
	"archive/tar"
	"bytes"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

// args returns the arguments for an image of two programs.
func args(t *testing.T, more ...string) []string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(program, []byte("the program"), 0o777); err != nil {
		t.Fatal(err)
	}
	return append(append([]string{"-version", "1.2.3", "-commit", "0123", "-date", "2026-01-02T03:04:05Z", "-documents", "../.."}, more...),
		"amd64="+program, "arm64="+program)
}

// TestArchive checks that two archives of the same programs have the same bytes, and that one is an
// image layout.
func TestArchive(t *testing.T) {
	var archives [2][]byte
	for i := range archives {
		out := filepath.Join(t.TempDir(), "image.tar")
		if err := run(args(t, "-o", out)); err != nil {
			t.Fatal(err)
		}
		var err error
		if archives[i], err = os.ReadFile(out); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(archives[0], archives[1]) {
		t.Error("a second archive has other bytes")
	}
	names, _ := tarFiles(t, bytes.NewReader(archives[0]))
	if names["oci-layout"] == nil || !strings.Contains(string(names["index.json"].text), "ghcr.io/etl2parquet/etl2parquet:1.2.3") {
		t.Errorf("index.json: %s", names["index.json"].text)
	}
}

// TestPushedImage pushes the image to a registry and checks what a machine of each architecture gets:
// the program, certificates, a folder for temporary files, and a user that is not root.
func TestPushedImage(t *testing.T) {
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	defer server.Close()
	repository := strings.TrimPrefix(server.URL, "http://") + "/etl2parquet"
	if err := run(args(t, "-push", repository+":1.2.3,"+repository+":latest")); err != nil {
		t.Fatal(err)
	}
	for _, architecture := range []string{"amd64", "arm64"} {
		ref, err := name.ParseReference(repository + ":latest")
		if err != nil {
			t.Fatal(err)
		}
		image, err := remote.Image(ref, remote.WithPlatform(v1.Platform{OS: "linux", Architecture: architecture}))
		if err != nil {
			t.Fatal(err)
		}
		config, err := image.ConfigFile()
		if err != nil {
			t.Fatal(err)
		}
		if c := config.Config; c.User != "65532:65532" || c.Entrypoint[0] != "/usr/local/bin/etl2parquet" || c.WorkingDir != "/data" || config.Architecture != architecture {
			t.Errorf("%+v", config)
		}
		all := mutate.Extract(image)
		defer all.Close()
		checkFiles(t, all)
	}
}

func checkFiles(t *testing.T, image io.Reader) {
	t.Helper()
	files, order := tarFiles(t, image)
	for name, mode := range map[string]int64{
		"usr/local/bin/etl2parquet": 0o755, "tmp/": 0o1777, "data/": 0o755, "etc/passwd": 0o644,
		"usr/share/doc/etl2parquet/LICENSE": 0o644, "usr/share/doc/etl2parquet/THIRD_PARTY_NOTICES": 0o644,
	} {
		if f := files[name]; f == nil || f.mode != mode {
			t.Errorf("%s: %v, of %q", name, f, order)
		}
	}
	pool := x509.NewCertPool()
	if roots := files["etc/ssl/certs/ca-certificates.crt"]; roots == nil || !pool.AppendCertsFromPEM(roots.text) {
		t.Error("there are no certificates")
	}
}

// TestBadArguments checks the errors of wrong command lines.
func TestBadArguments(t *testing.T) {
	for want, args := range map[string][]string{
		"give -version":           {"amd64=main.go"},
		"write ARCHITECTURE=PATH": {"-version", "1", "main.go"},
		"no such file":            {"-version", "1", "amd64=none"},
		"cannot parse":            {"-version", "1", "-date", "today", "amd64=main.go"},
	} {
		if err := run(args); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", args, err)
		}
	}
}

// entry is a file of an archive.
type entry struct {
	mode int64
	text []byte
}

func tarFiles(t *testing.T, r io.Reader) (files map[string]*entry, order []string) {
	t.Helper()
	files = make(map[string]*entry)
	for tr := tar.NewReader(r); ; {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return files, order
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(tr)
		if err != nil {
			t.Fatal(err)
		}
		if h.Typeflag == tar.TypeDir && !strings.HasSuffix(h.Name, "/") {
			h.Name += "/" // mutate.Extract drops it
		}
		files[h.Name] = &entry{h.Mode, text}
		order = append(order, h.Name)
	}
}
