package main

import (
	"fmt"
	"os"
)

// openFiles is how many files, sockets among them, the parts of a run may have
// open at a time, so that together they stay within the limit of the process.
// Each part waits for files of its own only, and one trace alone needs no more
// than the least of each.
type openFiles struct {
	traces      int // that are converted side by side
	output      int // files and folders of the dataset; more are written by closing some in between
	connections int // with a server
}

const (
	// filesOfRun are for everything else: the input that is looked into, locks,
	// the report, temporary files that traces share, lists, the runtime.
	filesOfRun = 24
	// filesPerTrace are the input, and the temporary files of what was in an
	// archive and of stacks.
	filesPerTrace = 3
	// filesPerConnection are those of a connection while it is made, for web
	// servers and for buckets.
	filesPerConnection = 4

	leastOutput      = 4
	leastConnections = 2
	mostConnections  = 128 // beyond that servers ask to slow down
	leastFiles       = filesOfRun + filesPerTrace + leastConnections*filesPerConnection + leastOutput
)

// newOpenFiles shares out what the limit of the process leaves: a quarter each
// for traces and connections, and the rest for the output.
func newOpenFiles(limit, open int) (openFiles, error) {
	if least := open + leastFiles; limit < least {
		return openFiles{}, fmt.Errorf("the limit of %d open files is too low, %d are needed: raise it, as with ulimit -n 1024", limit, least)
	}
	left := limit - open - filesOfRun
	f := openFiles{
		traces:      max(1, left/4/filesPerTrace),
		connections: min(max(leastConnections, left/4/filesPerConnection), mostConnections),
	}
	f.output = left - f.traces*filesPerTrace - f.connections*filesPerConnection
	return f, nil
}

// openNow returns how many files the process has open: a shell, or another
// program, may hand some down.
func openNow() int {
	const standard = 3 // input, output and error
	entries, err := os.ReadDir("/dev/fd")
	if err != nil {
		return standard // a system without such a folder
	}
	return len(entries) - 1 // the folder itself is open
}

// unlimitedFiles is more than a run has use for.
const unlimitedFiles = 1 << 16
