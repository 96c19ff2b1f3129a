package main

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/answers/cache"
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
