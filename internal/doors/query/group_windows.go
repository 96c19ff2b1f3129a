package query

import (
	"os/exec"
	"strconv"
)

// ownGroup makes a program be killed together with its child processes: the duckdb of PyPI is a
// program that starts another one.
func ownGroup(cmd *exec.Cmd) {
	cmd.Cancel = func() error {
		if exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid)).Run() == nil {
			return nil
		}
		return cmd.Process.Kill()
	}
}
