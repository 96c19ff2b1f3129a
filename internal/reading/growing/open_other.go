//go:build !windows

package growing

import "os"

// open opens a file to read it while others write, rename and remove it.
func open(path string) (*os.File, error) { return os.Open(path) }
