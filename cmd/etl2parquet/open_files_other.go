//go:build !unix

package main

// openFilesLimit returns how many files the process may have open: Windows
// bounds them by memory only.
func openFilesLimit() int { return unlimitedFiles }
