package answers

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"
)

// process is DuckDB's program, which reads statements from a pipe. It ends at the first error.
type process struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	stderr  bytes.Buffer // standard error; complete when the process has ended
	release func()
	memory  *watch
	used    *time.Duration // receives its processor time
	marker  string         // ends answers; random, so that SQL cannot print it
	isList  bool           // results are values separated by lines
	warned  []string       // DuckDB's warnings, each once
}

// startProcess starts DuckDB. The context ends it.
func (d *DuckDB) startProcess(ctx context.Context) (*process, error) {
	// The user's own start file could change what is printed.
	p := &process{cmd: d.command(ctx, "-init", os.DevNull, "-batch", "-bail"), used: &d.time.Processor, marker: "etl2parquet answered " + rand.Text()}
	p.cmd.Stderr = &p.stderr
	p.cmd.WaitDelay = childTime
	ownGroup(p.cmd)
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReader(out)
	if err = p.cmd.Start(); err != nil {
		return nil, err
	}
	p.release, p.memory = endWithUs(p.cmd, d.bound), watchMemory(p.cmd, d.bound)
	return p, nil
}

// forShell returns a script as DuckDB's shell must receive it. The shell reads lines, also within texts and names, and
// removes one carriage return before the end of each.
func forShell(script string) string { return strings.ReplaceAll(script, "\r\n", "\r\r\n") }

// The shell prints warnings to standard output, in this color, and what follows stands on the same line.
const (
	warningColor = "\x1b[90m"
	noColor      = "\x1b[00m"
)

// line returns the next line of the output, with its end. It keeps warnings, and leaves them out.
func (p *process) line() (line string, err error) {
	line, err = p.out.ReadString('\n')
	if !strings.HasPrefix(line, warningColor+"WARNING:") {
		return line, err
	}
	for err == nil && strings.Count(line, warningColor) > strings.Count(line, noColor) {
		var more string
		more, err = p.out.ReadString('\n')
		line += more
	}
	end := strings.LastIndex(line, noColor)
	if end < 0 {
		return line, err // cut off
	}
	text := strings.NewReplacer(warningColor, "", noColor, "", "WARNING:", "").Replace(line[:end])
	if text = strings.Join(strings.Fields(text), " "); !slices.Contains(p.warned, text) {
		p.warned = append(p.warned, text)
	}
	if line = line[end+len(noColor):]; line == "" && err == nil {
		return p.line()
	}
	return line, err
}

// errEnded means that the process has ended, mostly because of an error in SQL.
var errEnded = errors.New("it has ended")

// ask runs statements and returns the lines that they print, each result a line for each row. The error
// is errEnded if the process has ended: then end returns its message.
func (p *process) ask(script string) (lines []string, err error) {
	if !p.isList {
		script, p.isList = ".mode list\n.headers off\n"+script, true
	}
	var wait sync.WaitGroup
	wait.Go(func() { // the process may wait for its output to be read
		_, _ = io.WriteString(p.in, forShell(script)+".print "+p.marker+"\n") // if the process has ended, so has its output
	})
	defer wait.Wait()
	for {
		line, err := p.line()
		text, isLast := strings.CutSuffix(strings.TrimRight(line, "\r\n"), p.marker)
		if isLast && err == nil {
			if text != "" {
				lines = append(lines, text)
			}
			return lines, nil
		}
		if err != nil {
			return lines, errEnded
		}
		lines = append(lines, text)
	}
}

// run runs statements as the last ones, and calls read, which reads their output by line.
func (p *process) run(script string, read func() error) (message string, err error) {
	if p.isList {
		script = ".mode duckbox\n.headers on\n" + script
	}
	var wait sync.WaitGroup
	wait.Go(func() {
		_, _ = io.WriteString(p.in, forShell(script))
		_ = p.in.Close() // as in ask
	})
	failed := read()
	if failed != nil { // the rest of the results is not needed
		_ = p.cmd.Cancel()
	}
	message, err = p.end()
	wait.Wait()
	return message, errors.Join(failed, err)
}

// end waits until the process has ended, and returns what it wrote to standard error.
func (p *process) end() (message string, err error) {
	_ = p.in.Close() // a process that has ended has closed it, too
	_, err = io.Copy(io.Discard, p.out)
	err = errors.Join(p.cmd.Wait(), err)
	p.memory.stop()
	p.release()
	if state := p.cmd.ProcessState; state != nil {
		*p.used += state.UserTime() + state.SystemTime()
	}
	message = strings.TrimSpace(p.stderr.String())
	return message, p.memory.errorOf(message, err)
}

// take returns the process that an earlier call has left, or a new one. The caller must end it, or leave it
// for the next call.
func (d *DuckDB) take(ctx context.Context) (*process, error) {
	if p := d.process; p != nil {
		d.process = nil
		return p, nil
	}
	return d.startProcess(ctx)
}

// Close ends the process if Run has not used it.
func (d *DuckDB) Close() {
	if p := d.process; p != nil {
		d.process = nil
		_ = p.cmd.Cancel()
		_, _ = p.end() // nothing was asked of it
	}
}

// askFirst starts the process and asks it the first statements: its version, its optimizers, and then a
// script. It leaves the process for the next call.
func (d *DuckDB) askFirst(ctx context.Context, script string) (lines []string, err error) {
	defer d.clock()()
	d.Close()
	p, err := d.startProcess(ctx)
	if err != nil {
		return nil, d.checkVersion("", err.Error())
	}
	lines, err = p.ask("SELECT library_version FROM pragma_version();\nSELECT string_agg(name, ',') FROM duckdb_optimizers();\n" + script)
	d.process = p
	message := ""
	if err != nil {
		d.process = nil
		var ended error
		message, ended = p.end()
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case isMemory(ended):
			return nil, ended
		}
	}
	const first = 2
	version := ""
	if len(lines) > 0 {
		version = strings.TrimSpace(lines[0])
	}
	switch wrong := d.checkVersion(version, message); {
	case wrong != nil:
		d.Close()
		return nil, wrong
	case err != nil || len(lines) < first:
		d.Close()
		return nil, fmt.Errorf("%s cannot parse the SQL: %s", d.program, message)
	}
	d.optimizers = strings.Split(lines[1], ",")
	return lines[first:], nil
}
