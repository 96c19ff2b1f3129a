//go:build !linux

package convert

import "os"

// residentPeak returns "": what the system counts differs too much.
func residentPeak(*os.ProcessState) string { return "" }
