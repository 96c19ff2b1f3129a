package main

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/base/version"
)

// manCommand writes the manual pages, which packages of the program contain. It is hidden: users have
// "man etl2parquet".
func (a *app) manCommand() *cobra.Command {
	return newCommand("man", &cobra.Command{
		Hidden:            true,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: completeFolders,
		RunE: func(_ *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o777); err != nil {
				return err
			}
			return writePages(a.rootCommand(), args[0]) // the command that runs has only man below it
		},
	})
}

// writePages writes the pages of a command and of those below it into a folder. The pages depend on the
// program only, not on the machine.
func writePages(cmd *cobra.Command, folder string) error {
	if !cmd.IsAvailableCommand() {
		return nil
	}
	page := manualPage(cmd)
	page.Version, page.Date = version.Of(), version.Date()
	f, err := os.Create(filepath.Join(folder, page.Name+".1"))
	if err != nil {
		return err
	}
	err = page.write(f)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	for _, sub := range cmd.Commands() {
		if err := writePages(sub, folder); err != nil {
			return err
		}
	}
	return nil
}
