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
)

// servers are processes that run scripts, by the path of Python: one for all tests of a package, as Spark and packages
// take long to start.
var servers struct {
	sync.Mutex
	byProgram map[string]*server
}

// server is a process of server.py.
type server struct {
	program *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	errs    bytes.Buffer
}

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
		if s, err = startServer(p.program); err != nil {
			t.Fatal(err)
		}
		if servers.byProgram == nil {
			servers.byProgram = make(map[string]*server)
		}
		servers.byProgram[p.program] = s
	}
	start := time.Now()
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

func startServer(python string) (*server, error) {
	s := &server{program: exec.Command(python, filepath.Join(repository, "interop", "scripts", "server.py"))}
	s.program.WaitDelay = 10 * time.Second
	s.program.Env = append(os.Environ(), "PYTHONUTF8=1", "PYTHONDONTWRITEBYTECODE=1", "TZ=UTC", "SPARK_LOCAL_IP=127.0.0.1", "PYSPARK_PYTHON="+python)
	s.program.Stderr = &s.errs
	var err error
	if s.in, err = s.program.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.program.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.out = bufio.NewReader(out)
	return s, s.program.Start()
}

// end ends the process.
func (s *server) end() error {
	_ = s.in.Close() // a process that has ended has closed it, too
	return s.program.Wait()
}

func endServers() {
	servers.Lock()
	defer servers.Unlock()
	for _, s := range servers.byProgram {
		_ = s.end() // its answers are known
	}
}

func tail(text []byte, n int) []byte { return text[max(0, len(text)-n):] }
