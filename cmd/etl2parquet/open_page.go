package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
)

// opener returns the system's program that opens a file with the user's choice of program, and its
// arguments before the file.
func opener(system string) []string {
	switch system {
	case "windows":
		return []string{"rundll32.exe", "url.dll,FileProtocolHandler"}
	case "darwin":
		return []string{"/usr/bin/open"}
	}
	return []string{"xdg-open"}
}

// openPage opens a page in the browser. No shell reads the path, which is absolute, so that none is taken
// for a flag.
func openPage(path string) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	command := append(opener(runtime.GOOS), path)
	if err := exec.Command(command[0], command[1:]...).Run(); err != nil {
		return fmt.Errorf("--open: %s: %w", command[0], err)
	}
	return nil
}
