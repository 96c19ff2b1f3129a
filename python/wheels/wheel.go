package main

import (
	"archive/zip"
	"compress/flate"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"path"
	"strings"
	"time"
)

// entryTime is the time of all entries, the first that zip can express: file times would make wheels
// differ.
var entryTime = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// write writes a wheel. RECORD, with the sums of all other files, is the last entry.
func (p *pythonPackage) write(w io.Writer, s system, program []byte) error {
	z := zip.NewWriter(w)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	var record strings.Builder
	for _, f := range p.files(s, program) {
		if err := add(z, f); err != nil {
			return err
		}
		sum := sha256.Sum256(f.text)
		fmt.Fprintf(&record, "%s,sha256=%s,%d\n", f.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(f.text))
	}
	name := path.Join(p.project.Name+"-"+p.project.Version+".dist-info", "RECORD")
	fmt.Fprintf(&record, "%s,,\n", name)
	if err := add(z, file{name: name, text: []byte(record.String())}); err != nil {
		return err
	}
	return z.Close()
}

func add(z *zip.Writer, f file) error {
	h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: entryTime}
	h.SetMode(0o644)
	if f.executable {
		h.SetMode(0o755)
	}
	w, err := z.CreateHeader(h)
	if err != nil {
		return err
	}
	_, err = w.Write(f.text)
	return err
}
