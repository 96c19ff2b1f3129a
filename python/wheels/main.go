// Wheels builds the wheels of the Python package, each with the program for one system, into a
// folder:
//
//	go run ./python/wheels -o dist
//
// It runs in the root of the repository and needs no network once the modules are downloaded. The
// same sources and the same version of Go give the same bytes on any system.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "wheels:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("wheels", flag.ExitOnError)
	folder := flags.String("o", "dist", "write the wheels into this `folder`")
	systems := flags.String("systems", "", "build for these `systems` only: linux/amd64,windows/arm64; host is this one")
	var from origin
	flags.StringVar(&from.commit, "commit", "", "`commit` that the program names in its version; default: none")
	flags.StringVar(&from.date, "date", "", "`time` of the commit, as RFC 3339")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	wanted, err := selectSystems(*systems)
	if err != nil {
		return err
	}
	p, err := readPackage(".")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(*folder, 0o777); err != nil {
		return err
	}
	for _, s := range wanted {
		path, err := p.writeWheel(*folder, s, from)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		fmt.Fprintln(out, path)
	}
	return nil
}

// writeWheel builds the program for a system and writes the wheel. The file gets its name when it is
// complete.
func (p *pythonPackage) writeWheel(folder string, s system, from origin) (string, error) {
	program, err := buildProgram(".", p.project.Version, s, from)
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, p.wheelName(s))
	f, err := os.CreateTemp(folder, ".wheel-*")
	if err != nil {
		return "", err
	}
	defer os.Remove(f.Name()) // fails if it was renamed
	err = p.write(f, s, program)
	if err = cmp.Or(err, f.Chmod(0o644), f.Close()); err != nil {
		return "", err
	}
	return path, os.Rename(f.Name(), path)
}

// wheelName returns the file name of a wheel.
func (p *pythonPackage) wheelName(s system) string {
	return fmt.Sprintf("%s-%s-py3-none-%s.whl", p.project.Name, p.project.Version, strings.Join(s.tags, "."))
}
