package main

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// project is the table [project] of pyproject.toml.
type project struct {
	Name                 string
	Version              string
	Description          string
	RequiresPython       string `toml:"requires-python"`
	License              string
	Keywords             []string
	Classifiers          []string
	Dependencies         []string
	OptionalDependencies map[string][]string `toml:"optional-dependencies"`
}

// file is a file of a wheel.
type file struct {
	name       string // in the wheel
	text       []byte
	executable bool
}

// pythonPackage has the contents that all wheels share.
type pythonPackage struct {
	project project
	readme  []byte
	modules []file // by name
	notices []file // licences
}

// release matches versions that are spelled the same in file names and metadata.
var release = regexp.MustCompile(`^[0-9]+(\.[0-9]+)*((a|b|rc)[0-9]+)?$`)

// readPackage reads the package of a repository.
func readPackage(root string) (*pythonPackage, error) {
	p := new(pythonPackage)
	var err error
	if p.project, err = readProject(filepath.Join(root, "python", "pyproject.toml")); err != nil {
		return nil, err
	}
	if p.readme, err = os.ReadFile(filepath.Join(root, "python", "README.md")); err != nil {
		return nil, err
	}
	if p.modules, err = readModules(filepath.Join(root, "python"), p.project.Name); err != nil {
		return nil, err
	}
	for _, name := range []string{"LICENSE", "THIRD_PARTY_NOTICES"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return nil, err
		}
		p.notices = append(p.notices, file{name: name, text: text})
	}
	return p, nil
}

// readProject reads [project]. A key that is not written into wheels is an error.
func readProject(path string) (project, error) {
	var all struct{ Project project }
	meta, err := toml.DecodeFile(path, &all)
	if err != nil {
		return project{}, fmt.Errorf("%s: %w", path, err)
	}
	for _, key := range meta.Undecoded() {
		if key[0] == "project" {
			return project{}, fmt.Errorf("%s: %s is not written into the metadata of wheels", path, key)
		}
	}
	p := all.Project
	if p.Name != "etl2parquet" || !release.MatchString(p.Version) {
		return project{}, fmt.Errorf("%s: name %q, version %q: a wheel cannot have them", path, p.Name, p.Version)
	}
	return p, nil
}

// readModules reads the modules below a folder, sorted by name.
func readModules(folder, name string) ([]file, error) {
	var list []file
	err := filepath.WalkDir(filepath.Join(folder, name), func(found string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !slices.Contains([]string{".py", ".sql", ".typed"}, filepath.Ext(found)) {
			return err
		}
		text, err := os.ReadFile(found)
		if err != nil {
			return err
		}
		inWheel, err := filepath.Rel(folder, found)
		list = append(list, file{name: filepath.ToSlash(inWheel), text: text})
		return err
	})
	slices.SortFunc(list, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return list, err
}

// metadata returns the file METADATA.
func (p *pythonPackage) metadata() []byte {
	var b strings.Builder
	field := func(name, value string) { fmt.Fprintf(&b, "%s: %s\n", name, value) }
	field("Metadata-Version", "2.4")
	field("Name", p.project.Name)
	field("Version", p.project.Version)
	field("Summary", p.project.Description)
	field("Keywords", strings.Join(p.project.Keywords, ","))
	field("License-Expression", p.project.License)
	for _, f := range p.notices {
		field("License-File", f.name)
	}
	for _, c := range p.project.Classifiers {
		field("Classifier", c)
	}
	field("Requires-Python", p.project.RequiresPython)
	for _, d := range p.project.Dependencies {
		field("Requires-Dist", d)
	}
	for _, extra := range slices.Sorted(maps.Keys(p.project.OptionalDependencies)) {
		field("Provides-Extra", extra)
		for _, d := range p.project.OptionalDependencies[extra] {
			field("Requires-Dist", fmt.Sprintf("%s; extra == '%s'", d, extra))
		}
	}
	field("Description-Content-Type", "text/markdown")
	return append([]byte(b.String()+"\n"), p.readme...)
}

// wheelFile returns the file WHEEL.
func wheelFile(s system) []byte {
	var b strings.Builder
	b.WriteString("Wheel-Version: 1.0\nGenerator: etl2parquet/python/wheels\nRoot-Is-Purelib: false\n")
	for _, tag := range s.tags {
		fmt.Fprintf(&b, "Tag: py3-none-%s\n", tag)
	}
	return []byte(b.String())
}

// files returns the files of a wheel in their order, without RECORD.
func (p *pythonPackage) files(s system, program []byte) []file {
	base := p.project.Name + "-" + p.project.Version
	info := base + ".dist-info"
	list := slices.Clone(p.modules)
	list = append(list,
		file{path.Join(base+".data", "scripts", s.programFile()), program, true},
		file{name: path.Join(info, "METADATA"), text: p.metadata()},
		file{name: path.Join(info, "WHEEL"), text: wheelFile(s)})
	for _, f := range p.notices {
		list = append(list, file{name: path.Join(info, "licenses", f.name), text: f.text})
	}
	return list
}
