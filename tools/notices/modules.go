package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// module is a module that the program links.
type module struct {
	path, version string
	root          string
	folders       map[string]bool // of the linked packages, and their parents
	files         []legalFile     // by name
	licences      []string        // in the files, by name
}

// legalFile is a licence, or another file that must accompany a program.
type legalFile struct {
	name string // in the module
	text string
}

// listedPackage is the output of "go list -json" for a package.
type listedPackage struct {
	ImportPath string
	Dir        string
	Standard   bool
	Module     *listedModule
}

type listedModule struct {
	Path    string
	Version string
	Dir     string
	Main    bool
	Replace *struct{}
}

// linked returns the modules that the program links on any of the systems: Go itself,
// then the others by path.
func linked(systems []string) ([]*module, error) {
	root, err := goCommand(nil, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	goroot := strings.TrimSpace(string(root))
	modules := make(map[string]*module)
	for _, system := range systems {
		goos, goarch, ok := strings.Cut(system, "/")
		if !ok {
			return nil, fmt.Errorf("%q is no system and architecture, such as linux/amd64", system)
		}
		out, err := goCommand([]string{"GOOS=" + goos, "GOARCH=" + goarch, "CGO_ENABLED=0"}, "list", "-deps", "-json=ImportPath,Dir,Standard,Module", program)
		if err != nil {
			return nil, err
		}
		for d := json.NewDecoder(bytes.NewReader(out)); ; {
			var p listedPackage
			err := d.Decode(&p)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return nil, fmt.Errorf("go list for %s: %w", system, err)
			}
			if err := add(modules, &p); err != nil {
				return nil, err
			}
		}
	}
	list := slices.SortedFunc(maps.Values(modules), func(a, b *module) int { return cmp.Compare(a.path, b.path) })
	golang := &module{path: "Go (standard library and runtime)", root: goroot, folders: map[string]bool{goroot: true}}
	return append([]*module{golang}, list...), nil
}

func add(modules map[string]*module, p *listedPackage) error {
	switch {
	case p.Standard || p.Module != nil && p.Module.Main:
		return nil
	case p.Module == nil || p.Module.Dir == "":
		return fmt.Errorf("the module of %s is missing: run \"go mod download\"", p.ImportPath)
	case p.Module.Replace != nil:
		return fmt.Errorf("%s is replaced: its notices are not those of its path", p.Module.Path)
	}
	m := modules[p.Module.Path]
	if m == nil {
		m = &module{path: p.Module.Path, version: p.Module.Version, root: p.Module.Dir, folders: make(map[string]bool)}
		modules[m.path] = m
	}
	for folder := p.Dir; ; folder = filepath.Dir(folder) {
		m.folders[folder] = true
		if folder == m.root || folder == filepath.Dir(folder) {
			return nil
		}
	}
}

// goCommand returns what a command of Go prints.
func goCommand(env []string, args ...string) ([]byte, error) {
	command := exec.Command("go", args...)
	command.Env = append(os.Environ(), env...)
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w: %s", args[0], err, bytes.TrimSpace(stderr.Bytes()))
	}
	return out, nil
}

// read reads the legal files of the module, in all folders with packages that
// are linked.
func (m *module) read() error {
	for _, folder := range slices.Sorted(maps.Keys(m.folders)) {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return err
		}
		for _, entry := range entries {
			if !entry.Type().IsRegular() || !isLegal(entry.Name()) {
				continue
			}
			text, err := os.ReadFile(filepath.Join(folder, entry.Name()))
			if err != nil {
				return err
			}
			in, err := filepath.Rel(m.root, folder)
			if err != nil {
				return err
			}
			m.files = append(m.files, legalFile{path.Join(filepath.ToSlash(in), entry.Name()), plain(text)})
		}
	}
	return m.judge()
}

// plain returns a text with the line ends of Unix, and one at its end.
func plain(text []byte) string {
	return strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")) + "\n"
}

// isLegal reports whether a file has a licence, or what must go with it.
func isLegal(name string) bool {
	base, ext, _ := strings.Cut(strings.ToUpper(name), ".")
	switch ext {
	case "GO", "S", "H", "C": // source
		return false
	}
	words := strings.FieldsFunc(base, func(r rune) bool { return r == '-' || r == '_' })
	return slices.ContainsFunc(words, func(word string) bool {
		return slices.Contains([]string{"LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "PATENT", "UNLICENSE"}, strings.TrimSuffix(word, "S"))
	})
}
