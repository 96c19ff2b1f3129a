package main

import (
	"archive/tar"
	"bytes"
	"encoding/pem"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// user is the user and group that the program runs as: a number, because a check that a container is
// not root's cannot look names up.
const user = "65532:65532"

const programPath = "/usr/local/bin/etl2parquet"

// index returns the image for all architectures.
func (o *options) index(programs []program) (v1.ImageIndex, error) {
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, p := range programs {
		image, err := o.image(p)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.architecture, err)
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{
			Add:        image,
			Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: "linux", Architecture: p.architecture}},
		})
	}
	return mutate.Annotations(index, o.labels()).(v1.ImageIndex), nil
}

// labels are the standard annotations of images.
func (o *options) labels() map[string]string {
	labels := map[string]string{
		"org.opencontainers.image.title":       "etl2parquet",
		"org.opencontainers.image.description": "Reads Windows event traces (ETW, .etl) on any system",
		"org.opencontainers.image.source":      "https://github.com/etl2parquet/etl2parquet",
		"org.opencontainers.image.licenses":    "Apache-2.0",
		"org.opencontainers.image.version":     o.version,
	}
	if o.commit != "" {
		labels["org.opencontainers.image.revision"] = o.commit
	}
	return labels
}

// image returns the image for an architecture, from scratch: a layer with the files that rarely
// change, and one with the program.
func (o *options) image(p program) (v1.Image, error) {
	base, err := o.baseFiles()
	if err != nil {
		return nil, err
	}
	image := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	for _, files := range [][]file{base, {
		{path: "usr/local/bin/", mode: 0o755}, {path: programPath[1:], mode: 0o755, bytes: p.bytes},
	}} {
		layer, err := layerOf(files)
		if err != nil {
			return nil, err
		}
		image, err = mutate.Append(image, mutate.Addendum{Layer: layer, History: v1.History{Created: v1.Time{Time: o.date}, CreatedBy: "tools/image"}})
		if err != nil {
			return nil, err
		}
	}
	config, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	config = config.DeepCopy()
	config.OS, config.Architecture, config.Created = "linux", p.architecture, v1.Time{Time: o.date}
	config.Config = v1.Config{
		User:       user,
		WorkingDir: "/data",
		Entrypoint: []string{programPath},
		Env:        []string{"PATH=/usr/local/bin", "HOME=/tmp"},
		Labels:     o.labels(),
	}
	return mutate.ConfigFile(image, config)
}

// file is a file of a layer, or a folder if its path ends in a slash.
type file struct {
	path  string
	mode  int64
	bytes []byte
}

// baseFiles returns what the program needs of a system: certificates for servers, a folder for
// temporary files, one to mount data at, and a name for its user.
func (o *options) baseFiles() ([]file, error) {
	files := []file{
		{path: "data/", mode: 0o755},
		{path: "etc/", mode: 0o755},
		{path: "etc/passwd", mode: 0o644, bytes: []byte("etl2parquet:x:65532:65532::/tmp:/sbin/nologin\n")},
		{path: "etc/ssl/certs/", mode: 0o755},
		{path: "etc/ssl/certs/ca-certificates.crt", mode: 0o644, bytes: certificates()},
		{path: "tmp/", mode: 0o1777},
		{path: "usr/share/doc/etl2parquet/", mode: 0o755},
	}
	for _, name := range []string{"LICENSE", "THIRD_PARTY_NOTICES"} {
		text, err := os.ReadFile(filepath.Join(o.documents, name))
		if err != nil {
			return nil, err
		}
		files = append(files, file{path: "usr/share/doc/etl2parquet/" + name, mode: 0o644, bytes: text})
	}
	return files, nil
}

// certificatesFrom stands above the certificates, where readers of PEM skip it.
const certificatesFrom = `# Certificates that Mozilla trusts, from its list certdata.txt (Mozilla Public License 2.0,
# https://mozilla.org/MPL/2.0/), as the Go module golang.org/x/crypto/x509roots/fallback has them.
`

// certificates returns the roots that Mozilla trusts without a condition. A file cannot express the
// conditions of the others.
func certificates() []byte {
	var b bytes.Buffer
	b.WriteString(certificatesFrom)
	for root := range bundle.Roots() {
		if root.Constraint == nil {
			pem.Encode(&b, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}) // to memory
		}
	}
	return b.Bytes()
}

// layerOf returns a layer, whose files have the first time of Unix.
func layerOf(files []file) (v1.Layer, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range files {
		h := tar.Header{Name: f.path, Mode: f.mode, Size: int64(len(f.bytes)), ModTime: time.Unix(0, 0), Format: tar.FormatUSTAR, Typeflag: tar.TypeReg}
		if f.path[len(f.path)-1] == '/' {
			h.Typeflag = tar.TypeDir
		}
		if err := w.WriteHeader(&h); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.bytes); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b.Bytes())), nil },
		tarball.WithMediaType(types.OCILayer), tarball.WithCompressedCaching)
}
