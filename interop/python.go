// Package interop is for tests only. It runs other programs (DuckDB, pyarrow, pandas, Polars,
// Spark) on the files that etl2parquet writes. The scripts return the values they read as JSON; the
// expected values are in the tests, here and in package convert.
package interop

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

//go:embed requirements.txt duckdb-cli.txt scripts
var files embed.FS

// Python is an interpreter with the packages of requirements.txt.
type Python struct{ program string }

// environment makes the interpreter's environment once per process.
var environment = sync.OnceValues(func() (string, error) { return makeEnvironment("requirements.txt", "python") })

// duckdb makes the environment with DuckDB's program, which is small, once per process.
var duckdb = sync.OnceValues(func() (string, error) { return makeEnvironment("duckdb-cli.txt", "duckdb") })

// NewPython returns the interpreter, and creates its environment if no test has done so.
// Without Python or a network it skips the test, or fails it in CI.
func NewPython(t testing.TB) *Python {
	t.Helper()
	testenv.Slow(t, "Python with DuckDB, Spark and others")
	program, err := environment()
	if err != nil {
		missingPython(t, "the packages of interop/requirements.txt", err)
	}
	return &Python{program}
}

// ProgramOf returns the path of a program in an environment with the packages of requirements,
// as NewPython does.
func ProgramOf(t testing.TB, requirements, program string) string {
	t.Helper()
	path, err := makeEnvironmentOf([]byte(requirements), program)
	if err != nil {
		missingPython(t, strings.Join(strings.Fields(requirements), " "), err)
	}
	return path
}

// PythonWith returns the path of an interpreter with the packages that a file of the
// repository lists, as NewPython does.
func PythonWith(t testing.TB, list string) string {
	t.Helper()
	testenv.Slow(t, "Python with the packages of "+list)
	requirements, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(list)))
	if err != nil {
		t.Fatal(err)
	}
	program, err := makeEnvironmentOf(requirements, "python")
	if err != nil {
		missingPython(t, "the packages of "+list, err)
	}
	return program
}

// NewPythonWith returns the interpreter of PythonWith.
func NewPythonWith(t testing.TB, list string) *Python {
	t.Helper()
	return &Python{PythonWith(t, list)}
}

func missingPython(t testing.TB, packages string, err error) {
	t.Helper()
	testenv.Missing(t, "Python with "+packages, "install Python 3 with venv, and let pip download", err)
}

// RequireJava skips the test if there is no Java, or fails it in CI.
func RequireJava(t testing.TB) {
	t.Helper()
	if err := command(t.Context(), "java", "-version"); err != nil {
		testenv.Missing(t, "Java for Spark", "install a Java runtime", err)
	}
}

// Run runs a script of this package with a request as JSON on standard input, and reads the
// response from the last line of standard output.
func (p *Python) Run(t testing.TB, script string, question, answer any) {
	t.Helper()
	folder := t.TempDir()
	if err := os.CopyFS(folder, files); err != nil {
		t.Fatal(err)
	}
	input, err := json.Marshal(question)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), p.program, filepath.Join(folder, "scripts", script))
	cmd.WaitDelay = 10 * time.Second
	cmd.Env = append(os.Environ(), "PYTHONUTF8=1", "TZ=UTC", "SPARK_LOCAL_IP=127.0.0.1", "PYSPARK_PYTHON="+p.program)
	cmd.Stdin = bytes.NewReader(input)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	start := time.Now()
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", script, err, tail(errs.Bytes(), 4000))
	}
	t.Logf("%s: %.1f s", script, time.Since(start).Seconds())
	out = bytes.TrimSpace(out)
	if err := json.Unmarshal(out[bytes.LastIndexByte(out, '\n')+1:], answer); err != nil {
		t.Fatalf("%s answers %.300q: %v\n%s", script, out, err, tail(errs.Bytes(), 4000))
	}
}

func tail(text []byte, n int) []byte { return text[max(0, len(text)-n):] }

const installTimeout = time.Hour // less than make allows tests

// makeEnvironment returns a program of the virtual environment in the user's cache that has the
// packages of a list, and creates it if necessary. Its name has a hash of its contents, so that it
// is created again when they change.
func makeEnvironment(packages, name string) (program string, err error) {
	requirements, err := files.ReadFile(packages)
	if err != nil {
		return "", err
	}
	return makeEnvironmentOf(requirements, name)
}

func makeEnvironmentOf(requirements []byte, name string) (program string, err error) {
	python, version, err := findPython()
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(append(requirements, version...))
	root := filepath.Join(cache, "etl2parquet", "venv-"+hex.EncodeToString(sum[:6]))
	folder, suffix := filepath.Join(root, "bin"), ""
	if runtime.GOOS == "windows" {
		folder, suffix = filepath.Join(root, "Scripts"), ".exe"
	}
	program = filepath.Join(folder, name+suffix)
	// Written after the installation: an environment without it is not used.
	whole := filepath.Join(root, "installed.txt")
	if _, err := os.Stat(whole); err == nil {
		return program, nil
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
	if _, err := os.Stat(whole); err == nil {
		return program, nil
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
	if err := install(ctx, filepath.Join(folder, "python"+suffix), list); err != nil {
		return "", err
	}
	return program, os.WriteFile(whole, requirements, 0o666)
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

// findPython returns a Python 3 on the path and its version.
func findPython() (program string, version []byte, err error) {
	for _, name := range []string{"python3", "python"} {
		version, err = exec.Command(name, "-c", "import sys; print(sys.version, sys.prefix)").Output()
		if err == nil {
			return name, version, nil
		}
	}
	return "", nil, err
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
