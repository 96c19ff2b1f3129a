package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/answers/cache"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/doors/upkeep"
)

func (a *app) cacheCommand() *cobra.Command {
	return group("cache", a.cacheListCommand(), a.cacheClearCommand(), a.cachePathCommand())
}

func (a *app) cacheListCommand() *cobra.Command {
	f, o := new(cacheFlags), upkeep.CacheOptions{}
	return newCommand("cache_list", &cobra.Command{Args: cobra.NoArgs, RunE: func(*cobra.Command, []string) error {
		o.Width, o.Style = pageWidth(a.out), a.style()
		return a.withCache(f, func(c *cache.Cache) error { return upkeep.ListCache(c, a.out, o) })
	}}, f.flags()[:2], jsonOption(&o.JSON, "print a JSON object for each piece, one a line"))
}

func (a *app) cacheClearCommand() *cobra.Command {
	f := new(cacheFlags)
	return newCommand("cache_clear", &cobra.Command{Args: cobra.NoArgs, RunE: func(*cobra.Command, []string) error {
		return a.withCache(f, func(c *cache.Cache) error { return upkeep.ClearCache(c, a.out) })
	}}, f.flags()[:1])
}

func (a *app) cachePathCommand() *cobra.Command {
	f := new(cacheFlags)
	return newCommand("cache_path", &cobra.Command{Args: cobra.NoArgs, RunE: func(*cobra.Command, []string) error {
		path, err := filepath.Abs(f.path())
		if f.path() == "" || err != nil {
			return errors.Join(errNoCache, err)
		}
		_, err = fmt.Fprintln(a.out, path)
		return err
	}}, f.flags()[:1])
}

// cacheFlags are the flags for the tables that are kept for the next question.
type cacheFlags struct {
	folder  string
	size    texts.Size
	off     bool
	isAdded bool // the command has flags for them
}

// cacheVariable names the environment variable with the folder of the cache, or noCache.
const cacheVariable = "ETL2PARQUET_CACHE"

// noCache, instead of a folder, turns the cache off.
const noCache = "none"

// flags returns the flags, with the defaults.
func (f *cacheFlags) flags() []option {
	f.size, f.isAdded = cache.DefaultLimit, true
	return []option{
		f.folderOption(),
		{flag: "cache-size", value: &f.size, within: atLeast(0), shown: "a tenth of the free disk, at most " + texts.ExactSize(cache.MaxDefault), usage: "limit on the kept tables"},
		{flag: "no-cache", value: &f.off, usage: "neither use nor keep tables"},
	}
}

// folderOption returns the flag for the folder.
func (f *cacheFlags) folderOption() option {
	return option{flag: "cache", value: pathValue{&f.folder}, complete: completeFolders, usage: "`folder` of the tables that are kept for the next question; default: $" + cacheVariable + " (none: no cache), or tables in the program's folder of the user's cache"}
}

// path returns the folder of the cache, or "" if there is none.
func (f *cacheFlags) path() string {
	folder := f.folder
	if folder == "" {
		folder = os.Getenv(cacheVariable)
	}
	switch {
	case f.off || folder == noCache:
		return ""
	case folder != "":
		return folder
	}
	if user, err := os.UserCacheDir(); err == nil {
		return filepath.Join(user, "etl2parquet", "tables")
	}
	return ""
}

// openCache opens the cache, or returns nil if there is none. A cache that the user has not named and that
// cannot be used is one line on standard error.
func (a *app) openCache(f *cacheFlags) (*cache.Cache, error) {
	folder := f.path()
	if !f.isAdded || folder == "" {
		return nil, nil
	}
	absolute, err := filepath.Abs(folder)
	var c *cache.Cache
	if err == nil {
		c, err = cache.Open(absolute, int64(f.size))
	}
	switch {
	case err == nil:
		return c, nil
	case f.folder != "":
		return nil, usageError{fileError("cache", folder, err)}
	}
	a.warnNoCache(err)
	return nil, nil
}

// warnNoCache reports why tables cannot be kept.
func (a *app) warnNoCache(err error) {
	a.warnAll([]string{"the tables are not kept for the next question: " + printable(reason(err).Error()) + "; see --cache and --no-cache"})
}

// tellOfCache reports once where tables are kept.
func (r *job) tellOfCache(c *cache.Cache) {
	if c.Tell() {
		r.warnAll([]string{fmt.Sprintf("the tables and indexes made of traces are kept in %s for the next question; \"etl2parquet cache\" manages them, and --no-cache keeps none", printable(c.Root()))})
	}
}

var errNoCache = errors.New("there is no cache: $" + cacheVariable + " is none, or the user has no folder for caches")

// withCache calls do with the cache, unless none was made yet.
func (a *app) withCache(f *cacheFlags, do func(*cache.Cache) error) error {
	if f.path() == "" {
		return errNoCache
	}
	path, err := filepath.Abs(f.path())
	if err != nil {
		return err
	}
	c, err := cache.OpenExisting(path, int64(f.size))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		_, err = fmt.Fprintf(a.out, "nothing is kept in %s\n", printable(path))
		return err
	case err != nil:
		return fileError("cache", path, err)
	}
	return do(c)
}
