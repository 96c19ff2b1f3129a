// Package testenv finds parts that tests need beyond Go and this repository: the files
// in ../shared, other programs, abilities of the system. If a part is missing, it skips
// the test with a line that says what is missing and how to get it. With CI=true it fails
// the test, so that CI does not pass without running everything.
package testenv

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Mark begins the line of each missing part. missing.sh collects the lines.
const Mark = "MISSING "

// sharedPart is the name of ../shared as a part. It is not public: where it cannot be had, as on GitHub's
// machines, ETL2PARQUET_SHARED=none lets CI go without it, and without nothing else.
const (
	sharedPart     = "../shared"
	sharedVariable = "ETL2PARQUET_SHARED"
)

const sharedRemedy = "put the folder of traces and oracles beside the repository"

// Missing skips the test because a part is missing, or fails it with CI=true. The remedy
// says how to get the part, and err, if not nil, says what went wrong.
func Missing(t testing.TB, part, remedy string, err error) {
	t.Helper()
	line := text(part, remedy, err)
	if isNeeded(part) {
		t.Fatal(line)
	}
	t.Skip(line)
}

// Less logs that the test continues without a part, or fails it with CI=true.
func Less(t testing.TB, part, remedy string, err error) {
	t.Helper()
	line := text(part, remedy, err)
	if isNeeded(part) {
		t.Fatal(line)
	}
	t.Log(line)
}

// isNeeded reports whether a test must fail without a part.
func isNeeded(part string) bool {
	return os.Getenv("CI") == "true" && (part != sharedPart || os.Getenv(sharedVariable) != "none")
}

// text returns one line. The part and the remedy come first, because missing.sh groups by
// them.
func text(part, remedy string, err error) string {
	line := Mark + part + ": " + remedy
	if err != nil {
		line += " (" + strings.Join(strings.Fields(err.Error()), " ") + ")"
	}
	return line
}

// Shared returns the path of a file or folder in ../shared, or skips the test.
func Shared(t testing.TB, name string) string {
	t.Helper()
	path, err := sharedPath(t, name)
	if err != nil {
		Missing(t, sharedPart, sharedRemedy, err)
	}
	return path
}

// SharedFiles returns the files in ../shared that match a pattern, at least
// one, or skips the test.
func SharedFiles(t testing.TB, pattern string) []string {
	t.Helper()
	paths, err := sharedFiles(t, pattern)
	if err != nil {
		Missing(t, sharedPart, sharedRemedy, err)
	}
	return paths
}

// SharedOr is SharedFiles for tests that can use their own files instead.
func SharedOr(t testing.TB, pattern string, instead ...string) []string {
	t.Helper()
	paths, err := sharedFiles(t, pattern)
	if err != nil {
		Less(t, sharedPart, sharedRemedy, err)
		return instead
	}
	return paths
}

// sharedPath returns the path of a file or folder in ../shared, or an error if ../shared
// is missing. If ../shared exists but lacks the file, the test fails.
func sharedPath(t testing.TB, name string) (string, error) {
	t.Helper()
	folder := filepath.Join(filepath.Dir(Repository(t)), "shared")
	if _, err := os.Stat(folder); err != nil {
		return "", err
	}
	path := filepath.Join(folder, filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		t.Fatal(err)
	}
	return path, nil
}

func sharedFiles(t testing.TB, pattern string) ([]string, error) {
	t.Helper()
	folder, err := sharedPath(t, ".")
	if err != nil {
		return nil, err
	}
	paths, err := filepath.Glob(filepath.Join(folder, filepath.FromSlash(pattern)))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no files %s in %s: %v", pattern, folder, err)
	}
	return paths, nil
}

// mainModule is the module of the repository, which has others in folders of its own.
const mainModule = "module github.com/etl2parquet/etl2parquet"

var begin, _ = os.Getwd()

// Begin returns the folder in which the tests of a package begin. Some change to others.
func Begin() string { return begin }

// Repository returns the folder of the repository: of that which the working folder is in or, where that is in none,
// of that in which the tests began.
func Repository(t testing.TB) string {
	t.Helper()
	working, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{working, begin} {
		for above := ""; above != folder; folder = filepath.Dir(folder) {
			text, err := os.ReadFile(filepath.Join(folder, "go.mod"))
			if first, _, _ := strings.Cut(string(text), "\n"); strings.TrimSpace(first) == mainModule {
				return folder
			}
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
			above = folder
		}
	}
	t.Fatal("neither the working folder is in the repository, nor that in which the tests began")
	return ""
}

// Tool returns the path of a program, or skips the test. Tests that run other programs than a shell
// are in the tier all.
func Tool(t testing.TB, name string) string {
	t.Helper()
	if name != "sh" {
		All(t, "the program "+name)
	}
	path, err := exec.LookPath(name)
	if err != nil {
		Missing(t, name, "install it", err)
	}
	return path
}

// Sequential skips a test under the race detector. It is for long tests that do all work
// in one goroutine: the detector would take ten times as long and find nothing.
func Sequential(t testing.TB) {
	t.Helper()
	if raced {
		t.Skip("one goroutine: not for the race detector")
	}
}

// RacedElsewhere skips a test under the race detector. It is for long tests whose goroutines
// other tests run too, in less time.
func RacedElsewhere(t testing.TB) {
	t.Helper()
	if raced {
		t.Skip("goroutines of other tests: not for the race detector")
	}
}

// Unraced returns cases of a test: always includes always, and some only without the
// race detector.
func Unraced[T any](some []T, always ...T) []T {
	if raced {
		return always
	}
	return append(some, always...)
}

// SharedTraces returns the real traces, or skips the test. In short mode it returns only
// the small ones, which cover most kinds, for tests that read each several times.
func SharedTraces(t testing.TB) []string {
	t.Helper()
	paths := SharedFiles(t, "traces/*.etl")
	if !testing.Short() {
		return paths
	}
	const small = 400 << 10
	return slices.DeleteFunc(paths, func(path string) bool {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Size() > small
	})
}
