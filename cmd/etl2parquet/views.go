package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/internal/doors/viewcheck"
	"github.com/etl2parquet/etl2parquet/internal/formats"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
)

// viewsVariable names the environment variable with folders of views, separated like those of PATH.
const viewsVariable = "ETL2PARQUET_VIEWS"

// viewFlags are the flags that name folders of views.
type viewFlags struct{ folders []string }

func (f *viewFlags) flags() []option {
	return []option{{flag: "views", value: &f.folders, complete: completeFolders, usage: "also take the views of this `folder`; one of the same name replaces the program's; repeatable"}}
}

// set returns the program's views with those of users: of the folder views beside the key of pseudonyms, if it is
// there, of $ETL2PARQUET_VIEWS and of the flags. A folder beside a trace is never read: who sends a trace must not
// bring SQL that runs.
func (f *viewFlags) set() (*views.Set, error) {
	var folders []string
	if config, err := os.UserConfigDir(); err == nil { // a system without one has no views there
		path := filepath.Join(config, "etl2parquet", "views")
		if _, err := os.Stat(path); err == nil {
			folders = append(folders, path)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, usageError{fileError("views", path, err)}
		}
	}
	for _, path := range filepath.SplitList(os.Getenv(viewsVariable)) {
		if path != "" {
			folders = append(folders, path)
		}
	}
	set, err := views.BuiltIn().With(append(folders, f.folders...)...)
	if err != nil {
		return nil, usagef("the views of a folder: %w", err)
	}
	return set, nil
}

// viewsCommand is the group of commands about views.
func (a *app) viewsCommand() *cobra.Command { return group("views", a.viewsCheckCommand()) }

func (a *app) viewsCheckCommand() *cobra.Command {
	f := new(traceFlags)
	f.source.limitFlags() // which set the limits of inputs: the traces are this program's own
	return newCommand("views_check", &cobra.Command{
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: completeFolders,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.checkViews(cmd.Context(), f, args[0])
		},
	}, f.resources.flags())
}

// checkViews checks the views of a folder, with the others that a user has.
func (a *app) checkViews(ctx context.Context, f *traceFlags, folder string) error {
	set, err := (&viewFlags{[]string{folder}}).set()
	if err != nil {
		return fmt.Errorf("%w: %w", viewcheck.ErrWrong, err)
	}
	return viewcheck.Check(ctx, a.out, folder, set, func(ctx context.Context, traces []string, sql string) (string, error) {
		r, err := a.inside(a.from, io.Discard).begin(ctx, f)
		if err != nil {
			return "", err
		}
		defer r.close()
		duckdb, err := answers.Find(set)
		if err != nil {
			return "", err
		}
		defer duckdb.Close()
		f.resources.bound(duckdb, true)
		statements, err := duckdb.Statements(ctx, sql)
		if err != nil {
			return "", err
		}
		var rows strings.Builder
		err = r.ask(duckdb, &answers.Source{Statements: statements, Inputs: traces}, &answers.Options{Format: formats.CSV, Locked: true, Out: &rows, Notes: io.Discard})
		return rows.String(), errors.Join(err, r.Result())
	})
}
