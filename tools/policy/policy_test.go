package policy

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

const root = "github.com/etl2parquet/etl2parquet" // the library

// TestMain runs the tests in the root of the repository, whose files they read.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := os.Chdir(filepath.Join("..", "..")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// goPackage is what go list knows about a package.
type goPackage struct {
	name    string // below the module, and root for the library; of another module, the path
	other   bool   // of another module or of the standard library
	cgo     bool   // outside of the standard library
	imports []string
}

// goPackages returns the packages of the module and all that they import, in order.
func goPackages(t *testing.T) []goPackage {
	t.Helper()
	list, err := listPackages()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

var listPackages = sync.OnceValues(func() (list []goPackage, err error) {
	const format = `{{.ImportPath}} {{if and .CgoFiles (not .Standard)}}cgo{{else}}go{{end}}{{range .Imports}} {{.}}{{end}}`
	out, err := exec.Command("go", "list", "-deps", "-f", format, "./...").Output()
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		p := goPackage{name: below(fields[0]), cgo: fields[1] == "cgo"}
		p.other = p.name == fields[0] && p.name != root
		for _, path := range fields[2:] {
			p.imports = append(p.imports, below(path))
		}
		list = append(list, p)
	}
	if err == nil && len(list) < 100 {
		err = fmt.Errorf("go list names %d packages", len(list))
	}
	return list, err
})

// below returns the path of a package without that of the module.
func below(path string) string { return strings.TrimPrefix(path, root+"/") }

// textOf returns the text of a file.
func textOf(t *testing.T, name string) string {
	t.Helper()
	return string(testenv.ReadFile(t, name))
}

// repositoryFiles returns the names of the files of the repository, with slashes: the files that git
// tracks or, without git, all files outside of hidden folders.
func repositoryFiles(t *testing.T) []string {
	t.Helper()
	names, err := listFiles()
	if err != nil {
		t.Fatal(err)
	}
	return names
}

var listFiles = sync.OnceValues(func() (names []string, err error) {
	if out, err := exec.Command("git", "ls-files", "-z").Output(); err == nil && len(out) > 0 {
		for _, name := range strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00") {
			if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
				names = append(names, name)
			}
		}
		return names, nil
	}
	err = fs.WalkDir(os.DirFS("."), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case d.Type().IsRegular():
			names = append(names, name)
		}
		return nil
	})
	return names, err
})
