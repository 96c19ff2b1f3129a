package main

import (
	"archive/tar"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
)

// writeArchive writes an image layout as a tar: first into a folder, then its files in the order of
// their names, without times and owners. The file appears when it is complete.
func writeArchive(out string, index v1.ImageIndex, version string) (err error) {
	folder, err := os.MkdirTemp("", "image-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	// The outer index has one entry, the image of all architectures, with the name that "docker load" gives it.
	named := mutate.AppendManifests(empty.Index, mutate.IndexAddendum{Add: index, Descriptor: v1.Descriptor{Annotations: map[string]string{
		"io.containerd.image.name":          "ghcr.io/etl2parquet/etl2parquet:" + version,
		"org.opencontainers.image.ref.name": version,
	}}})
	if _, err := layout.Write(folder, named); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(out), ".image-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails if it was renamed
	err = writeTar(f, os.DirFS(folder))
	if err = cmp.Or(err, f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), out)
}

// writeTar writes all files of a folder.
func writeTar(out io.Writer, folder fs.FS) error {
	w := tar.NewWriter(out)
	err := fs.WalkDir(folder, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(folder, path)
		if err != nil {
			return err
		}
		h := tar.Header{Name: path, Mode: 0o644, Size: int64(len(text)), ModTime: time.Unix(0, 0), Format: tar.FormatUSTAR, Typeflag: tar.TypeReg}
		if err := w.WriteHeader(&h); err != nil {
			return err
		}
		_, err = w.Write(text)
		return err
	})
	return cmp.Or(err, w.Close())
}
