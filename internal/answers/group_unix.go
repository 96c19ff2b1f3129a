//go:build !windows

package answers

import (
	"io"
	"os/exec"
	"strconv"
	"syscall"
)

// ownGroup puts a program into a process group of its own, which is killed as a whole: the duckdb
// of PyPI is a script that starts the program.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// endWithUs makes the group of a started program end with this process, also if that is killed: a shell
// waits for a line from this process, and kills the group if it ends without one. release writes the
// line; the program must have ended. Without a shell, a program whose process is killed ends after its
// statement.
func endWithUs(cmd *exec.Cmd, _ memoryBound) (release func()) {
	shell := exec.Command("/bin/sh", "-c", `read -r line || kill -9 "-$1"`, "sh", strconv.Itoa(cmd.Process.Pid))
	shell.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // the terminal's interrupt must not end it
	line, err := shell.StdinPipe()
	if err == nil {
		err = shell.Start()
	}
	if err != nil {
		return func() {}
	}
	return func() {
		_, _ = io.WriteString(line, "ended\n") // a shell that was killed needs no line
		_ = shell.Wait()
	}
}
