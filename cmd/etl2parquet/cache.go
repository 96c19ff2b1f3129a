package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/doors/upkeep"
	"github.com/etl2parquet/etl2parquet/internal/lake/cache"
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
