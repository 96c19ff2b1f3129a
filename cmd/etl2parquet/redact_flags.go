package main

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/etl2parquet/etl2parquet/internal/engine/redact"
)

// redactFlags replace the names of people and machines.
type redactFlags struct {
	redact  bool
	keyFile string // "" is the one of the user
}

func (f *redactFlags) flags() []option {
	return []option{
		{flag: "redact", value: &f.redact, usage: "replace the names of users and hosts, addresses, SIDs and command lines by pseudonyms; see docs/redact.md for what stays"},
		{flag: "redact-key", value: pathValue{&f.keyFile}, complete: completeFiles, usage: "make the pseudonyms of --redact with the secret in this `file`, of at least 16 bytes; without it, with a random one that is kept for you"},
	}
}

// key returns the secret of pseudonyms, or nil if names are kept. It makes the user's own when it is
// first needed, and says where it is.
func (f *redactFlags) key(say io.Writer) ([]byte, error) {
	switch {
	case !f.redact && f.keyFile != "":
		return nil, usagef("--redact-key is for --redact")
	case !f.redact:
		return nil, nil
	case f.keyFile != "":
		key, err := readKey(f.keyFile)
		if err != nil {
			return nil, usageError{fileError("redact-key", f.keyFile, err)}
		}
		return key, nil
	}
	folder, err := os.UserConfigDir()
	if err != nil {
		return nil, usagef("--redact: no folder for the key of pseudonyms (%w); give one with --redact-key", err)
	}
	path := filepath.Join(folder, "etl2parquet", "redact.key")
	key, err := readKey(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err = makeKey(path); err == nil {
			fmt.Fprintf(say, "%s: made the key of pseudonyms: keep it secret\n", printable(path))
			key, err = readKey(path)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("--redact: %w; give another key with --redact-key", err)
	}
	return key, nil
}

// maxKey is the largest file that is read as a key.
const maxKey = 64 << 10

// readKey reads the secret in a file, without white space around it.
func readKey(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	key, err := io.ReadAll(io.LimitReader(f, maxKey+1))
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	if len(key) > maxKey {
		return nil, fmt.Errorf("it is larger than %d KiB", maxKey>>10)
	}
	key = bytes.TrimSpace(key)
	_, err = redact.NewKey(key)
	return key, err
}

// makeKey makes a random key in a file that only the user may read. If another process makes it at
// the same time, that one's key stays.
func makeKey(path string) error {
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(folder, "redact-*.key") // 0600
	if err != nil {
		return err
	}
	secret := make([]byte, 32)
	rand.Read(secret) // never fails
	_, err = fmt.Fprintln(f, hex.EncodeToString(secret))
	if err = cmp.Or(err, f.Sync()); err == nil {
		err = f.Close()
	} else {
		err = errors.Join(err, f.Close())
	}
	if err == nil {
		if err = os.Link(f.Name(), path); errors.Is(err, fs.ErrExist) {
			err = nil
		} else if err != nil { // the file system has no links
			err = os.Rename(f.Name(), path)
		}
	}
	if removed := os.Remove(f.Name()); !errors.Is(removed, fs.ErrNotExist) {
		err = errors.Join(err, removed)
	}
	return err
}
