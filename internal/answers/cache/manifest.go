package cache

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/base/fileid"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/schema"
)

// manifestFile is the name of the manifest of a piece. It begins with the CRC-32C of the JSON that
// follows, as eight hexadecimal digits and a line feed.
const manifestFile = "piece"

// maxManifest bounds the size of a manifest.
const maxManifest = 64 << 20

// manifest is what a piece says about itself.
type manifest struct {
	Names  []string          `json:"names"` // of the inputs, for people
	Tool   string            `json:"tool"`  // the version that made it
	Made   time.Time         `json:"made"`
	Needs  []selection.Need  `json:"needs"`            // one for each name of a table
	Bounds *selection.Bounds `json:"bounds,omitempty"` // of the events in the tables; nil: all
	Tables []table           `json:"tables"`
	Notes  json.RawMessage   `json:"notes"` // of the caller
	Files  []file            `json:"files"`
	Boot   string            `json:"boot,omitempty"` // the start of the machine in which the files were last checked
}

// table is a table that has files.
type table struct {
	Name  string          `json:"name"`
	Event schema.Identity `json:"event,omitzero"`
}

// schema returns the table, as far as needs are matched with it.
func (t *table) schema() *schema.Table {
	if known, ok := schema.LookupTable(t.Name); ok {
		return known
	}
	return &schema.Table{Name: t.Name, Event: t.Event}
}

// file is a file of a piece.
type file struct {
	Name   string    `json:"name"` // from the folder of the piece, with slashes
	CRC32C uint32    `json:"crc32c"`
	ID     fileid.ID `json:"id"`
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

var errManifest = errors.New("the manifest of a piece is damaged")

// readManifest reads the manifest of the piece in a folder.
func readManifest(folder string) (*manifest, error) {
	f, err := os.Open(filepath.Join(folder, manifestFile))
	if err != nil {
		return nil, err
	}
	defer f.Close() // it is only read
	text, err := io.ReadAll(io.LimitReader(f, maxManifest+1))
	if err != nil {
		return nil, err
	}
	head, body, _ := bytes.Cut(text, []byte{'\n'})
	if len(text) > maxManifest || string(head) != checksum(body) {
		return nil, errManifest
	}
	m := new(manifest)
	if err := json.Unmarshal(body, m); err != nil {
		return nil, fmt.Errorf("%w: %w", errManifest, err)
	}
	return m, nil
}

func checksum(body []byte) string { return fmt.Sprintf("%08x", crc32.Checksum(body, castagnoli)) }

// write writes a manifest of the piece in a folder. If sync is set, it is on the disk afterwards. It
// replaces an older manifest at once.
func (c *Cache) write(m *manifest, folder string, sync bool) (err error) {
	body, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if len(body) > maxManifest-9 {
		return errors.New("the piece has too many files")
	}
	f, err := os.CreateTemp(folder, manifestFile+".*")
	if err != nil {
		return err
	}
	_, err = f.WriteString(checksum(body) + "\n")
	c.between()
	if err == nil {
		_, err = f.Write(body)
	}
	c.between()
	if err == nil && sync {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), filepath.Join(folder, manifestFile))
	}
	if err != nil {
		err = errors.Join(err, os.Remove(f.Name()))
	}
	return err
}

// bytes returns the bytes of the files.
func (m *manifest) bytes() (n int64) {
	for i := range m.Files {
		n += m.Files[i].ID.Size
	}
	return n
}

// check reports whether the files are those that were written. changed says that the manifest has other
// identities now, because the files had to be read.
func (m *manifest) check(folder, boot string) (whole, changed bool) {
	for i := range m.Files {
		f := &m.Files[i]
		path := filepath.Join(folder, filepath.FromSlash(f.Name))
		id, err := fileid.Of(path)
		if err != nil || id.Size != f.ID.Size {
			return false, false
		}
		if id == f.ID && boot == m.Boot {
			continue
		}
		if sum, err := sumOf(path); err != nil || sum != f.CRC32C {
			return false, false
		}
		f.ID, changed = id, true
	}
	m.Boot = boot
	return true, changed
}

// sumOf returns the checksum of a file.
func sumOf(path string) (uint32, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close() // it is only read
	h := crc32.New(castagnoli)
	if _, err := io.CopyBuffer(onlyWriter{h}, f, make([]byte, 1<<20)); err != nil {
		return 0, err
	}
	return h.Sum32(), nil
}

// onlyWriter hides other methods, so that copying uses the buffer.
type onlyWriter struct{ io.Writer }
