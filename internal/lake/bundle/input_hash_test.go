package bundle

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/etl2parquet/etl2parquet/internal/base/fileid"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// hashesOf returns the hashes of a file by their definitions.
func hashesOf(data []byte) (plain, chunks, chunksSHA256 string) {
	whole, all, allSHA256 := sha256.Sum256(data), xxh3.New128(), sha256.New()
	for rest := data; len(rest) > 0; {
		n := min(len(rest), 4<<20)
		sum, sumSHA256 := xxh3.Hash128(rest[:n]).Bytes(), sha256.Sum256(rest[:n])
		all.Write(sum[:])
		allSHA256.Write(sumSHA256[:])
		rest = rest[n:]
	}
	return hex.EncodeToString(whole[:]), hex.EncodeToString(all.Sum(nil)), hex.EncodeToString(allSHA256.Sum(nil))
}

// TestInputHash compares the hashes in the record and in the table traces with the input.
func TestInputHash(t *testing.T) {
	t.Parallel()
	small := indextest.RandomTrace(t, testenv.Seeded("hash"), indextest.Shapes["in order"])
	large := append(append([]byte{}, small...), make([]byte, fileid.ChunkBytes+1000)...)
	for name, test := range map[string]struct {
		data   []byte
		sha256 bool
	}{
		"one chunk":               {small, false},
		"one chunk, asked for":    {small, true},
		"two chunks":              {large, false},
		"two chunks, asked for":   {large, true},
		"a chunk to the last bit": {large[:fileid.ChunkBytes], true},
	} {
		t.Run(name, func(t *testing.T) {
			path := indextest.Write(t, "a.etl", test.data)
			o := testOptions
			o.SHA256 = test.sha256
			root := t.TempDir()
			convertTo(t, root, path, o)
			_, record := recordIn(t, root)
			plain, chunks, _ := hashesOf(test.data)
			if !test.sha256 {
				plain = ""
			}
			if record.SHA256 != plain || record.ChunksXXH3 != chunks {
				t.Errorf("record: %q and %q, want %q and %q", record.SHA256, record.ChunksXXH3, plain, chunks)
			}
			row := rowsByTable(t, root, "t")["traces"][0]
			if got := strings.TrimPrefix(row["sha256"], "NULL"); got != plain || row["chunks_xxh3"] != chunks {
				t.Errorf("row: %v and %v, want %q and %q", row["sha256"], row["chunks_xxh3"], plain, chunks)
			}
		})
	}
}

// TestSecondRunByHash converts inputs again whose time has changed.
func TestSecondRunByHash(t *testing.T) {
	t.Parallel()
	small := indextest.RandomTrace(t, testenv.Seeded("hash"), indextest.Shapes["in order"])
	data := append(append([]byte{}, small...), make([]byte, fileid.ChunkBytes)...)
	other := append([]byte{}, data...)
	other[len(other)-1] = 1
	plain, _, chunksSHA256 := hashesOf(data)
	editRecord := func(t *testing.T, root, with string) {
		path := filepath.Join(root, recordPath("t"))
		text := testenv.ReadFile(t, path)
		text = regexp.MustCompile(`"chunks_xxh3": ".*",`).ReplaceAll(text, []byte(with))
		testenv.WriteFile(t, path, text)
	}
	for name, test := range map[string]struct {
		data            []byte
		record          string // what it has in place of the hash; "": as it is
		before, asked   bool   // for the plain hash
		skipped, hasSum bool
	}{
		"same contents":                 {data: data, skipped: true},
		"other contents":                {data: other},
		"same contents, plain":          {data: data, before: true, skipped: true, hasSum: true},
		"plain hash asked for later":    {data: data, asked: true, hasSum: true},
		"SHA-256 by chunks":             {data: data, record: `"chunks_sha256": "` + chunksSHA256 + `",`, skipped: true},
		"SHA-256 by chunks, other":      {data: other, record: `"chunks_sha256": "` + chunksSHA256 + `",`},
		"plain SHA-256":                 {data: data, record: `"sha256": "` + plain + `",`, skipped: true, hasSum: true},
		"plain SHA-256, other":          {data: other, record: `"sha256": "` + plain + `",`},
		"record of a transient dataset": {data: data, record: " "},
	} {
		t.Run(name, func(t *testing.T) {
			path, root, o := indextest.Write(t, "a.etl", data), t.TempDir(), testOptions
			o.SHA256 = test.before
			convertTo(t, root, path, o)
			if test.record != "" {
				editRecord(t, root, test.record)
			}
			testenv.WriteFile(t, path, test.data)
			if err := os.Chtimes(path, time.Time{}, time.Now().Add(time.Hour)); err != nil {
				t.Fatal(err)
			}
			o.SHA256 = test.asked
			if report := convertTo(t, root, path, o); report.Skipped != test.skipped {
				t.Errorf("skipped: %t, want %t", report.Skipped, test.skipped)
			}
			_, record := recordIn(t, root)
			if has := record.SHA256 != ""; has != test.hasSum {
				t.Errorf("the record has the plain hash: %t, want %t", has, test.hasSum)
			}
		})
	}
}
