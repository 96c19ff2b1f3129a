package answers

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/engine/codes"
)

// Shell makes Run open DuckDB's own shell, with the views defined, in place of running statements.
type Shell struct {
	In, Out, Err *os.File // a terminal
	// Begin is called with a line about the tables, immediately before the shell begins. From then on the
	// terminal's interrupts are the shell's: this process must ignore them.
	Begin func(line string)
}

// ShellStatement stands for the statements that people may type into the shell: they may read any
// table, and any of the inputs by its name.
func ShellStatement(inputs []string) Statement {
	return Statement{All: true, Fields: true, Stacks: true, Tables: inputs}
}

// Check checks whether the program is DuckDB, of a supported version, and parses the views of users.
func (d *DuckDB) Check(ctx context.Context) error {
	defer d.Close()
	if _, err := d.askFirst(ctx, ""); err != nil {
		return err
	}
	return d.parseViews(ctx)
}

// startFile is the name of the user's own start file of DuckDB's shell, in the home folder.
const startFile = ".duckdbrc"

// shell opens DuckDB's shell, and waits for its end.
func (s *session) shell(ctx context.Context, d *DuckDB, views string) error {
	rows, err := s.rowsOfTables(ctx)
	if err != nil {
		return err
	}
	var script strings.Builder
	if home, err := os.UserHomeDir(); err == nil && !s.o.Locked {
		if _, err := os.Stat(filepath.Join(home, startFile)); err == nil {
			fmt.Fprintf(&script, ".read %s\n", sqlName(filepath.ToSlash(filepath.Join(home, startFile))))
		}
	}
	script.WriteString(s.head(d))
	if !namesCodes(views) {
		script.WriteString(codes.Macros())
	}
	script.WriteString(views)
	script.WriteString(setParameters(s.o.Parameters))
	init := filepath.Join(s.o.Temp, "shell.sql")
	if err := os.WriteFile(init, []byte(forShell(script.String())), 0o600); err != nil {
		return err
	}
	args := []string{"-init", init}
	if s.o.Locked {
		// The program of PyPI changes a setting after the start file, by a command of its own before ours.
		lock := filepath.Join(s.o.Temp, "lock.sql")
		if err := os.WriteFile(lock, []byte(s.lock(d.isOld)), 0o600); err != nil {
			return err
		}
		args = append(args, "-cmd", ".read "+sqlName(filepath.ToSlash(lock)))
	}
	cmd := d.command(ctx, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = s.o.Shell.In, s.o.Shell.Out, s.o.Shell.Err
	s.o.Shell.Begin(fmt.Sprintf("DuckDB's shell: %s of events and facts; .tables lists them with the views, Ctrl-D ends the shell", texts.Counted(int64(len(rows)), "table")))
	if err := cmd.Start(); err != nil {
		return err
	}
	memory := watchMemory(cmd, d.bound)
	err = cmd.Wait()
	memory.stop()
	switch err = memory.errorOf("", err); {
	case ctx.Err() != nil:
		return ctx.Err()
	case isMemory(err):
		return err
	}
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		return nil // the status of the last statement
	}
	return err
}
