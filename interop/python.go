// Package interop is for tests only. It runs other programs (DuckDB, pyarrow, pandas, Polars,
// Spark) on the files that etl2parquet writes. The scripts return the values they read as JSON; the
// expected values are in the tests, here and in package convert.
package interop

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// Lists of packages, each of an environment: what the tests of a change need, and all engines.
const (
	smallList = "interop/small.txt"
	wholeList = "interop/requirements.txt"
)

// Python is an interpreter with packages.
type Python struct{ program string }

// NewPython returns an interpreter with DuckDB and pyarrow, and installs them if no test has done so. In the tier all
// it is that of [NewEngines]. Without Python or a network it skips the test, or fails it in CI.
func NewPython(t testing.TB) *Python {
	t.Helper()
	testenv.Slow(t, "Python with DuckDB and pyarrow")
	if testenv.Running(t) >= testenv.TierAll {
		return NewEngines(t)
	}
	return &Python{programWith(t, smallList, "python")}
}

// NewEngines is NewPython with Spark, pandas, Polars and others, for the tier all.
func NewEngines(t testing.TB) *Python { t.Helper(); return NewPythonWith(t, wholeList) }

// NewPythonWith is NewPython with the packages that a file of the repository lists, for the tier all.
func NewPythonWith(t testing.TB, list string) *Python {
	t.Helper()
	return &Python{PythonWith(t, list)}
}

// PythonWith returns the path of the interpreter of NewPythonWith.
func PythonWith(t testing.TB, list string) string {
	t.Helper()
	testenv.All(t, "Python with the packages of "+list)
	return programWith(t, list, "python")
}

// programWith returns the path of a program in an environment with the packages that a file lists.
func programWith(t testing.TB, list, program string) string {
	t.Helper()
	requirements, err := os.ReadFile(filepath.Join(testenv.Repository(t), filepath.FromSlash(list)))
	if err != nil {
		t.Fatal(err)
	}
	return programOf(t, requirements, program, list)
}

// ProgramOf returns the path of a program in an environment with the packages of requirements,
// as NewPython does.
func ProgramOf(t testing.TB, requirements, program string) string {
	t.Helper()
	return programOf(t, []byte(requirements), program, strings.Join(strings.Fields(requirements), " "))
}

func programOf(t testing.TB, requirements []byte, program, packages string) string {
	t.Helper()
	root, err := makeEnvironment(requirements)
	if err != nil {
		testenv.Missing(t, "Python with "+packages, "install Python 3 with venv, and let pip download", err)
	}
	return programIn(root, program)
}

// programIn returns the path of a program of an environment.
func programIn(root, name string) string {
	if runtime.GOOS == "windows" {
		return filepath.Join(root, "Scripts", name+".exe")
	}
	return filepath.Join(root, "bin", name)
}

// RequireJava skips the test if there is no Java, or fails it in CI. It is for tests with Spark, of the tier all.
func RequireJava(t testing.TB) {
	t.Helper()
	testenv.All(t, "Spark")
	if err := command(t.Context(), "java", "-version"); err != nil {
		testenv.Missing(t, "Java for Spark", "install a Java runtime", err)
	}
}

const installTimeout = time.Hour // less than make allows tests

// makeEnvironment returns the virtual environment in the user's cache that has the packages of a list, and creates it if
// necessary. Its name has a hash of the list and of Python's path, so that no Python runs where it is complete.
func makeEnvironment(requirements []byte) (root string, err error) {
	python, err := findPython()
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(append(bytes.Clone(requirements), python...))
	root = filepath.Join(cache, "etl2parquet", "venv-"+hex.EncodeToString(sum[:6]))
	whole := filepath.Join(root, "installed.txt") // written after the installation
	isWhole := func() bool {
		_, err := os.Stat(whole)
		_, gone := os.Stat(programIn(root, "python")) // of a Python that was removed
		return err == nil && gone == nil
	}
	if isWhole() {
		return root, nil
	}
	if err := os.MkdirAll(filepath.Dir(root), 0o777); err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.Background(), installTimeout)
	defer cancel()
	unlock, err := lock(ctx, root+".lock")
	if err != nil {
		return "", err
	}
	defer unlock()
	if isWhole() {
		return root, nil
	}
	if err := os.RemoveAll(root); err != nil {
		return "", err
	}
	if err := command(ctx, python, "-m", "venv", root); err != nil {
		return "", err
	}
	list := filepath.Join(root, "requirements.txt")
	if err := os.WriteFile(list, requirements, 0o666); err != nil {
		return "", err
	}
	if err := install(ctx, programIn(root, "python"), list); err != nil {
		return "", err
	}
	return root, os.WriteFile(whole, requirements, 0o666)
}

const installTries = 3

// install installs the packages of a list. A registry may serve a truncated file, which pip does not
// fetch again: install then runs pip without its cache, which may have the truncated file.
func install(ctx context.Context, python, list string) (err error) {
	args := []string{"-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check", "-r", list}
	for range installTries {
		if err = command(ctx, python, args...); err == nil || ctx.Err() != nil {
			break
		}
		args = append(args, "--no-cache-dir")
	}
	return err
}

// findPython returns the path of Python 3, without links: mostly its version is part of it.
func findPython() (path string, err error) {
	for _, name := range []string{"python3", "python"} {
		if path, err = exec.LookPath(name); err == nil {
			return filepath.EvalSymlinks(path)
		}
	}
	return "", err
}

func command(ctx context.Context, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.WaitDelay = 10 * time.Second
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", cmd, err, tail(bytes.TrimSpace(out), 1000))
	}
	return nil
}

const (
	lockBeat  = 2 * time.Second
	lockStale = time.Minute // if a lock is not renewed for this time, its owner has ended
)

// lock takes a lock between processes: a file whose modification time the owner renews.
func lock(ctx context.Context, path string) (unlock func(), err error) {
	for {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL, 0o666)
		if err == nil {
			f.Close()
			break
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) > lockStale {
			os.Remove(path)
			continue
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("waiting for %s: %w", path, ctx.Err())
		case <-time.After(lockBeat / 4):
		}
	}
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-done:
				return
			case now := <-time.After(lockBeat):
				os.Chtimes(path, now, now)
			}
		}
	}()
	return func() { close(done); os.Remove(path) }, nil
}
