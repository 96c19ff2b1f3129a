package batch

import (
	"fmt"
	"os"
)

// OpenFiles bounds the files, sockets included, that each part of a run may have
// open at a time, so that together they stay within the limit of the process. No
// part waits for files of another, and the least bounds suffice for one trace.
type OpenFiles struct {
	Traces      int // traces converted concurrently
	Output      int // files and folders of the dataset; to write more, some are closed and reopened
	Connections int // connections to one server
}

const (
	// filesOfRun is for everything else: the input being listed, locks, the
	// report, temporary files shared by traces, lists, the Go runtime; and for the archive
	// and the temporary file of each session whose traces stay unpacked.
	filesOfRun = 24 + 2*maxKept
	// filesPerTrace is for the input, the temporary file of an archive entry, the
	// temporary file of stacks, and the input and temporary file of a sibling or, after that, of another
	// input that is searched for descriptions.
	filesPerTrace = 5
	// filesPerConnection is for the sockets of a connection while it is being made,
	// once for web servers and once for buckets.
	filesPerConnection = 4

	minOutput      = 4
	minConnections = 2
	maxConnections = 128 // with more, servers ask to slow down
	minFiles       = filesOfRun + filesPerTrace + minConnections*filesPerConnection + minOutput
)

// ShareOpenFiles shares out the files that the process may still open.
func ShareOpenFiles() (OpenFiles, error) {
	limit := openFilesLimit()
	if limit >= ampleFiles {
		return newOpenFiles(limit, ampleFiles/16) // counting lists a folder, which every run would pay for
	}
	return newOpenFiles(limit, openNow())
}

// ampleFiles is a limit at which the files that the process has open need not be counted: a sixteenth of it
// is more than a parent leaves to its child.
const ampleFiles = 1 << 14

// newOpenFiles shares out files: a quarter each for traces and connections, and the
// rest for the output.
func newOpenFiles(limit, open int) (OpenFiles, error) {
	if least := open + minFiles; limit < least {
		return OpenFiles{}, fmt.Errorf("the limit of %d open files is too low: %d are needed; raise it, for example with ulimit -n 1024", limit, least)
	}
	left := limit - open - filesOfRun
	f := OpenFiles{
		Traces:      max(1, left/4/filesPerTrace),
		Connections: min(max(minConnections, left/4/filesPerConnection), maxConnections),
	}
	f.Output = left - f.Traces*filesPerTrace - f.Connections*filesPerConnection
	return f, nil
}

// openNow returns the number of files the process has open: it may have inherited
// some from its parent.
func openNow() int {
	const standard = 3 // input, output and error
	entries, err := os.ReadDir("/dev/fd")
	if err != nil {
		return standard // a system without such a folder
	}
	return len(entries) - 1 // the folder itself is open
}

// unlimitedFiles is more than a run can use.
const unlimitedFiles = 1 << 16
