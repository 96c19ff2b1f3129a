package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Cache is a folder with sets of pieces.
type Cache struct {
	root  string
	limit int64

	step func() // tests call it where a process may be killed: between two changes of files
}

// between is called between two changes of files.
func (c *Cache) between() {
	if c.step != nil {
		c.step()
	}
}

// DefaultLimit, as a limit, means a tenth of the space of the disk that is free or the cache's, and at
// most MaxDefault.
const DefaultLimit = -1

// MaxDefault bounds the default limit.
const MaxDefault = 20 << 30

// tagFile and its first line mark a folder as a cache: https://bford.info/cachedir/. Other programs mark
// theirs in this way, too: the second line tells our own.
const (
	tagFile = "CACHEDIR.TAG"
	tagText = "Signature: 8a477f597d28d172789f06886806bc55\n# etl2parquet keeps tables of traces here; \"etl2parquet cache clear\" removes them.\n"
)

// ErrForeign means that a folder is not a cache.
var ErrForeign = errors.New("the folder has files, and is not a cache of etl2parquet: name an empty or a new one")

// Open opens the cache in a folder, and creates the folder if necessary, for this user alone. The cache
// keeps at most limit bytes.
func Open(root string, limit int64) (*Cache, error) {
	c := &Cache{root: root, limit: limit}
	if err := os.MkdirAll(root, 0o700); err != nil {
		return nil, err
	}
	if err := checkOwner(root); err != nil {
		return nil, err
	}
	isCache, err := c.isMarked()
	if err != nil || isCache {
		return c, err
	}
	entries, err := os.ReadDir(root)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), newTag) { // another process may mark it just now
			if isCache, err = c.isMarked(); err != nil || isCache {
				return c, err
			}
			return nil, ErrForeign
		}
	}
	return c, c.mark()
}

// newTag begins the name of a tag that is not complete.
const newTag = tagFile + ".new-"

// mark makes the folder a cache. The tag appears with its whole text.
func (c *Cache) mark() error {
	f, err := os.CreateTemp(c.root, newTag+"*") // 0600
	if err != nil {
		return err
	}
	_, err = f.WriteString(tagText)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), filepath.Join(c.root, tagFile))
	}
	if err != nil {
		err = errors.Join(err, os.Remove(f.Name()))
	}
	return err
}

// OpenExisting opens the cache in a folder, or returns [fs.ErrNotExist] or ErrForeign.
func OpenExisting(root string, limit int64) (*Cache, error) {
	c := &Cache{root: root, limit: limit}
	if _, err := os.Stat(root); err != nil {
		return nil, err
	}
	isCache, err := c.isMarked()
	if err == nil && !isCache {
		err = ErrForeign
	}
	return c, err
}

// isMarked reports whether the folder is a cache of ours.
func (c *Cache) isMarked() (bool, error) {
	path := filepath.Join(c.root, tagFile)
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	case !info.Mode().IsRegular() || info.Size() != int64(len(tagText)):
		return false, nil
	}
	text, err := os.ReadFile(path)
	return string(text) == tagText, err
}

// Root returns the path of the cache.
func (c *Cache) Root() string { return c.root }

// noticeFile marks a cache whose user knows of it.
const noticeFile = "notice"

// Tell reports whether a command should say what is kept: it returns true once in the life of the cache.
func (c *Cache) Tell() bool {
	f, err := os.OpenFile(filepath.Join(c.root, noticeFile), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	return err == nil && f.Close() == nil
}

// Limit returns the most bytes that the cache keeps, which holds held bytes.
func (c *Cache) Limit(held int64) (int64, error) {
	if c.limit >= 0 {
		return c.limit, nil
	}
	free, err := freeSpace(c.root)
	if errors.Is(err, errors.ErrUnsupported) {
		return MaxDefault, nil
	}
	if err != nil {
		return 0, fmt.Errorf("find the free space: %w", err)
	}
	return min(free/10+held/10, MaxDefault), nil
}

// Set is the folder of a set of inputs. It need not exist.
type Set struct {
	cache *Cache
	path  string
}

// Set returns the set of inputs with a key, which has all that the rows depend on.
func (c *Cache) Set(key []byte) *Set {
	sum := sha256.Sum256(key)
	return &Set{c, filepath.Join(c.root, hex.EncodeToString(sum[:])[:setName])}
}

// setName is the length of the name of a set.
const setName = 32

// isSet reports whether a name is that of a set.
func isSet(name string) bool {
	_, err := hex.DecodeString(name)
	return err == nil && len(name) == setName
}
