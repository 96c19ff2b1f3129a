// Command site builds the documentation as a web site: the pages below docs, and a page for each view
// and each table that the program describes. It fails if a link leads nowhere.
//
//	go run ./tools/site -o build/site
//
// The generator is zensical, a Python package, which requirements.txt pins. It is installed beside the
// site, unless -generator names it.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

func main() {
	out := flag.String("o", filepath.Join("build", "site"), "the `folder` of the site")
	generator := flag.String("generator", "", "the program zensical; none installs it")
	flag.Parse()
	if err := build(*out, *generator); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

// build builds the site in a folder. Beside it are its sources (-src) and the generator (-venv).
func build(out, generator string) error {
	out, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	source := out + "-src"
	if err := errors.Join(os.RemoveAll(source), os.RemoveAll(out)); err != nil {
		return err
	}
	pages, err := sources(os.DirFS("."))
	if err != nil {
		return err
	}
	for name, contents := range pages {
		path := filepath.Join(source, "docs", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, contents, 0o666); err != nil {
			return err
		}
	}
	for name, to := range map[string]string{"zensical.toml": source, "site.css": filepath.Join(source, "docs")} {
		contents, err := os.ReadFile(filepath.Join("tools", "site", name))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, name), contents, 0o666); err != nil {
			return err
		}
	}
	if generator == "" {
		if generator, err = install(out + "-venv"); err != nil {
			return err
		}
	}
	if err := command(source, generator, "build", "--strict", "--clean"); err != nil {
		return err
	}
	if err := os.Rename(filepath.Join(source, "site"), out); err != nil {
		return err
	}
	n, err := checkLinks(os.DirFS(out))
	if err != nil {
		return err
	}
	fmt.Printf("%s: %d pages; %d links within the site, none of them broken\n", out, n.pages, n.links)
	return nil
}

// install makes a Python environment with the generator, and returns the program.
func install(venv string) (program string, err error) {
	scripts := filepath.Join(venv, "bin")
	if runtime.GOOS == "windows" {
		scripts = filepath.Join(venv, "Scripts")
	}
	if err := command(".", "python3", "-m", "venv", venv); err != nil {
		return "", err
	}
	if err := command(".", filepath.Join(scripts, "pip"), "install", "-q", "--disable-pip-version-check", "-r", filepath.Join("tools", "site", "requirements.txt")); err != nil {
		return "", err
	}
	return filepath.Join(scripts, "zensical"), nil
}

func command(dir, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
