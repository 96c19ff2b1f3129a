package python_test

import (
	"os"
	"os/exec"
	"path/filepath"
	system "runtime"
	"strings"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestPythonPackage builds the wheel of the Python package for this system, installs it without a
// network into an otherwise empty environment, and runs the package's tests there, in python/tests.
// They find pytest, Polars and others in the environment of python/requirements-test.txt.
func TestPythonPackage(t *testing.T) {
	tools := interop.PythonWith(t, "python/requirements-test.txt")
	folder := t.TempDir()
	output(t, "..", nil, "go", "run", "./python/wheels", "-systems", "host", "-o", filepath.Join(folder, "wheels"))
	wheels, err := filepath.Glob(filepath.Join(folder, "wheels", "*.whl"))
	if err != nil || len(wheels) != 1 {
		t.Fatalf("wheels: %q, %v", wheels, err)
	}
	empty := filepath.Join(folder, "environment")
	python := filepath.Join(empty, "bin", "python")
	if system.GOOS == "windows" {
		python = filepath.Join(empty, "Scripts", "python.exe")
	}
	output(t, ".", nil, tools, "-m", "venv", "--without-pip", empty)
	output(t, ".", nil, tools, "-m", "pip", "--python", python, "install", "--quiet", "--no-index", "--no-deps", "--disable-pip-version-check", wheels[0])
	const folderOf = "import sysconfig; print(sysconfig.get_path('purelib'))"
	site := strings.TrimSpace(output(t, ".", nil, python, "-c", folderOf))
	others := output(t, ".", nil, tools, "-c", folderOf)
	testenv.WriteFile(t, filepath.Join(site, "tools.pth"), others)
	env := []string{"ETL2PARQUET=", "PYTHONUTF8=1", "PYSPARK_PYTHON=" + python, "PATH=" + strings.Join([]string{filepath.Dir(python), filepath.Dir(tools), os.Getenv("PATH")}, string(os.PathListSeparator))}
	tests := "tests"
	for name, keyword := range map[string]string{"package": "not test_spark", "spark": "test_spark"} {
		t.Run(name, func(t *testing.T) {
			t.Log(output(t, tests, env, python, "-B", "-m", "pytest", "-q", "-rsP", "-p", "no:cacheprovider", "--durations=5", "-k", keyword))
		})
	}
}

// output runs a program in a folder, with further variables of the environment, and returns what
// it prints. If the program fails, the test does.
func output(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.WaitDelay = 10 * time.Second // for what it started itself, such as Spark
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, out)
	}
	return string(out)
}
