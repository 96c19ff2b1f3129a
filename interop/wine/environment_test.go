package wine

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// scratch is the folder of Wine's prefix and the programs, for all tests.
var scratch string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		var err error
		if scratch, err = os.MkdirTemp("", "etl2parquet-wine-"); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(scratch)
		status := m.Run()
		if err := endWine(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		return status
	}())
}

// environment has the settings with which tests run programs.
type environment struct {
	wine    string   // the program
	env     []string // with Wine's prefix
	linux   string   // etl2parquet
	windows string   // etl2parquet.exe
}

// keeper is a Windows process that waits. Wine's services, which take seconds to start,
// run as long as any process does.
var keeper *exec.Cmd

var makeEnvironment = sync.OnceValues(func() (*environment, error) {
	e := &environment{linux: filepath.Join(scratch, "etl2parquet"), windows: filepath.Join(scratch, "etl2parquet.exe")}
	e.env = append(os.Environ(), "WINEPREFIX="+prefix(), "WINEARCH=win64", "WINEDEBUG=-all", "DISPLAY=", "WAYLAND_DISPLAY=")
	var err error
	if e.wine, err = findWine("wine64"); err != nil {
		return nil, err
	}
	if _, err := run(e.env, e.wine, "wineboot", "--init"); err != nil {
		return nil, err
	}
	dll := filepath.Join(prefix(), "drive_c/windows/system32/bcryptprimitives.dll")
	if _, err := run(nil, "x86_64-w64-mingw32-gcc", "-shared", "-o", dll, "testdata/bcryptprimitives.c", "-ladvapi32"); err != nil {
		return nil, err
	}
	for system, program := range map[string]string{"linux": e.linux, "windows": e.windows} {
		if _, err := run(append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system), "go", "build", "-o", program, "../../cmd/etl2parquet"); err != nil {
			return nil, err
		}
	}
	keeper = exec.Command(e.wine, "cmd")
	keeper.Env = e.env
	if _, err := keeper.StdinPipe(); err != nil {
		return nil, err
	}
	return e, keeper.Start()
})

func prefix() string { return filepath.Join(scratch, "prefix") }

// findWine finds a program of Wine. Debian's package wine64 installs them outside PATH.
func findWine(name string) (string, error) {
	if path, err := exec.LookPath(name); err == nil {
		return path, nil
	}
	return exec.LookPath("/usr/lib/wine/" + name)
}

// newEnvironment returns the environment, or skips the test.
func newEnvironment(t *testing.T) *environment {
	t.Helper()
	testenv.All(t, "it starts Wine")
	if _, err := findWine("wine64"); err != nil {
		testenv.Missing(t, "wine64", "run .ci/wine", err)
	}
	testenv.Tool(t, "x86_64-w64-mingw32-gcc")
	e, err := makeEnvironment()
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// endWine ends the processes that Wine has started beside the programs, and waits for them.
func endWine() error {
	if _, err := os.Stat(prefix()); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	server, err := findWine("wineserver")
	if err != nil {
		return err
	}
	_, killed := run(append(os.Environ(), "WINEPREFIX="+prefix()), server, "--kill") // fails if the server has already ended
	if keeper != nil && keeper.Process != nil {
		keeper.Wait() // always an error, because the process was killed
	}
	left, err := processes()
	for try := 0; err == nil && len(left) > 0 && try < 300; try++ {
		time.Sleep(100 * time.Millisecond)
		left, err = processes()
	}
	if err == nil && len(left) > 0 {
		err = errors.Join(fmt.Errorf("processes of Wine are left: %q", left), killed)
	}
	return err
}

// processes returns the command lines of the processes with the tests' prefix.
func processes() (lines []string, err error) {
	paths, err := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range paths {
		env, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(env, []byte("WINEPREFIX="+prefix()+"\x00")) {
			continue // it has ended, or is another user's
		}
		if line, err := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline")); err == nil && len(line) > 0 {
			lines = append(lines, strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return lines, err
}

// run runs a program and returns its output. Its child processes may keep the output open.
func run(env []string, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Env = env
	cmd.WaitDelay = time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil && !errors.Is(err, exec.ErrWaitDelay) {
		return "", fmt.Errorf("%s: %w: %s", strings.Join(cmd.Args, " "), err, &out)
	}
	return out.String(), nil
}
