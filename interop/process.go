package interop

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// process is a program that answers the tests of a package, one after the other: it is started once.
type process struct {
	program *exec.Cmd
	in      io.WriteCloser
	output  io.Closer
	out     *bufio.Reader
	errs    bytes.Buffer // the output for errors, unless it is in out
}

// startProcess starts a process in the folder in which the tests of a package begin, because it outlives the test that
// starts it, which may have changed to a folder of its own.
func startProcess(program *exec.Cmd, together bool) (*process, error) {
	p := &process{program: program}
	program.Dir = testenv.Begin()
	program.WaitDelay = 10 * time.Second // for what it started itself, such as Spark
	in, err := program.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := program.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.in, p.output, p.out, program.Stderr = in, out, bufio.NewReader(out), &p.errs
	if together {
		program.Stderr = program.Stdout
	}
	return p, program.Start()
}

// endAfter ends the process after a time, and its output, which programs that it has started may hold open. The
// function that it returns prevents that.
func (p *process) endAfter(limit time.Duration) (stop func() bool) {
	return time.AfterFunc(limit, func() {
		_ = p.program.Process.Kill() // it may have ended
		_ = p.output.Close()         // as above
	}).Stop
}

func (p *process) end() error {
	_ = p.in.Close() // a process that has ended has closed it, too
	return p.program.Wait()
}

// Main runs the tests of a package, and ends the processes that answered [Ask] and [Python.Run]. It is the TestMain of
// packages that use them.
func Main(m *testing.M) (code int) {
	code = m.Run()
	if shared.process != nil {
		_ = shared.end() // its answers are known
	}
	for _, p := range servers.byProgram {
		_ = p.end() // as above
	}
	return code
}

// servers are processes of server.py, by the path of Python.
var servers = struct {
	sync.Mutex
	byProgram map[string]*process
}{byProgram: make(map[string]*process)}

// scriptTime bounds the time of a script: where an engine hangs, its answer never comes. The longest take minutes.
const scriptTime = 30 * time.Minute

// Run runs a script of this package with a request as JSON on standard input, and reads the
// response from the last line of standard output.
func (p *Python) Run(t testing.TB, script string, question, answer any) {
	t.Helper()
	request, err := json.Marshal(map[string]any{"script": script, "question": question})
	if err != nil {
		t.Fatal(err)
	}
	servers.Lock()
	defer servers.Unlock()
	s := servers.byProgram[p.program]
	if s == nil {
		repository := testenv.Repository(t)
		cmd := exec.Command(p.program, filepath.Join(repository, "interop", "scripts", "server.py"))
		cmd.Env = append(os.Environ(), "PYTHONPATH="+filepath.Join(repository, "python"), "PYTHONUTF8=1", "PYTHONDONTWRITEBYTECODE=1", "TZ=UTC", "SPARK_LOCAL_IP=127.0.0.1", "PYSPARK_PYTHON="+p.program)
		if s, err = startProcess(cmd, false); err != nil {
			t.Fatal(err)
		}
		servers.byProgram[p.program] = s
	}
	start := time.Now()
	defer s.endAfter(scriptTime)()
	_, wrong := s.in.Write(append(request, '\n'))
	line, err := s.out.ReadBytes('\n')
	if err = errors.Join(wrong, err); err != nil {
		delete(servers.byProgram, p.program)
		t.Fatalf("%s: %v, %v\n%s", script, err, s.end(), tail(s.errs.Bytes(), 4000))
	}
	t.Logf("%s: %.1f s", script, time.Since(start).Seconds())
	response := struct {
		Answer any
		Error  string
	}{Answer: answer}
	if err := json.Unmarshal(line, &response); err != nil || response.Error != "" {
		t.Fatalf("%s: %v\n%s%.300q", script, err, tail([]byte(response.Error), 4000), line)
	}
}

func tail(text []byte, n int) []byte { return text[max(0, len(text)-n):] }
