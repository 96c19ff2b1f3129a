//go:build !unix

package batch

// openFilesLimit returns the most files the process may have open. Windows
// limits them by memory only.
func openFilesLimit() int { return unlimitedFiles }
