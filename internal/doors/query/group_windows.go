package query

import (
	"os/exec"
	"strconv"
)

// ownGroup has a program killed together with those that it has started: the duckdb of PyPI starts
// another.
func ownGroup(cmd *exec.Cmd) {
	cmd.Cancel = func() error {
		if exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid)).Run() == nil {
			return nil
		}
		return cmd.Process.Kill()
	}
}
