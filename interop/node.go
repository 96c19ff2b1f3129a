package interop

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// nodePackages installs the packages that tests run once per process.
var nodePackages = sync.OnceValues(func() (string, error) { return makeNodePackages("npm") })

// NodePackage returns the folder of a package of interop/npm, and installs it if no test has done so.
// Without Node.js or a network it skips the test, or fails it in CI.
func NodePackage(t testing.TB, name string) string {
	t.Helper()
	testenv.Tool(t, "node")
	testenv.Tool(t, "npm")
	folder, err := nodePackages()
	if err != nil {
		testenv.Missing(t, "the packages of interop/npm", "install Node.js with npm, and let it download", err)
	}
	return filepath.Join(folder, "node_modules", filepath.FromSlash(name))
}

// npmFiles name packages of npm and all they depend on, pinned.
var npmFiles = []string{"package.json", "package-lock.json"}

// makeNodePackages installs the packages of a folder of interop, and copies its scripts beside them, in a
// folder of the user's cache, whose name has a hash of them.
func makeNodePackages(name string, scripts ...string) (folder string, err error) {
	sum := sha256.New()
	contents := make(map[string][]byte)
	for _, file := range slices.Concat(npmFiles, scripts) {
		content, err := os.ReadFile(filepath.Join("..", "interop", name, file))
		if err != nil {
			return "", err
		}
		sum.Write(content)
		contents[file] = content
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	folder = filepath.Join(cache, "etl2parquet", name+"-"+hex.EncodeToString(sum.Sum(nil)[:6]))
	if err := os.MkdirAll(filepath.Dir(folder), 0o777); err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.Background(), installTimeout)
	defer cancel()
	unlock, err := lock(ctx, folder+".lock")
	if err != nil {
		return "", err
	}
	defer unlock()
	whole := filepath.Join(folder, "installed.txt") // written after the installation
	if _, err := os.Stat(whole); err == nil {
		return folder, nil
	}
	if err := os.RemoveAll(folder); err != nil {
		return "", err
	}
	if err := os.Mkdir(folder, 0o777); err != nil {
		return "", err
	}
	for name, content := range contents {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o666); err != nil {
			return "", err
		}
	}
	if err := command(ctx, "npm", "ci", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund"); err != nil {
		return "", err
	}
	return folder, os.WriteFile(whole, nil, 0o666)
}
