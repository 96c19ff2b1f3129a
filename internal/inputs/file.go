package inputs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/base/fileid"
	"github.com/etl2parquet/etl2parquet/internal/base/reach"
	"github.com/etl2parquet/etl2parquet/internal/lake/store/s3"
)

// Stdin is standard input as an argument, and StdinPath its path, which is the same
// on all systems.
const (
	Stdin     = "-"
	StdinPath = "/dev/stdin"
)

// File is a file to read, on this machine or on a server, or standard input.
type File struct {
	Name    string      // as the user wrote it, or below a folder that the user named
	Path    string      // absolute, or a URL
	Size    int64       // -1 if unknown
	ModTime time.Time   // zero if unknown
	Info    fs.FileInfo // of a file on this machine, else nil
	Order   int         // position among the inputs
	Args    []string    // the arguments that stand for the file: its name, a folder, a pattern

	// Planned has the names in the dataset that a plan gives to the traces in the file,
	// by [Trace.Inner]; nil without a plan.
	Planned map[string]string

	open     func(context.Context) (*content, error) // of a file on a server, else nil
	version  string                                  // of a file on a server: the server's name for its contents, or ""
	folder   bool                                    // found in a folder, not named by the user
	streamed bool                                    // on a server that sends it as a stream only
	pipe     bool                                    // a pipe on this machine
	from     *reach.Files                            // the files that may be opened
}

// IsStream reports whether the file can only be read from its start to its end.
func (f *File) IsStream() bool { return f.IsPipe() || f.streamed }

// IsPipe reports whether the file is standard input or a pipe: it can be read only once.
func (f *File) IsPipe() bool { return f.IsStdin() || f.pipe }

// IsStdin reports whether the file is standard input.
func (f *File) IsStdin() bool { return f.Info == nil && f.open == nil }

// Identity returns a text that changes whenever the contents of the file do, without reading it. ok is
// false if there is none: of standard input, pipes, files that changed within the last seconds, and files
// on servers that do not tell their versions apart.
func (f *File) Identity() (identity string, ok bool) {
	switch {
	case f.IsPipe():
		return "", false
	case f.Info == nil:
		return fmt.Sprintf("%d:%s", f.Size, f.version), f.version != "" && f.Size >= 0
	}
	now := time.Now()
	id, err := fileid.Of(f.Path)
	if err != nil || id.Size != f.Size || !id.IsSettled(now) { // reading the file reports an error
		return "", false
	}
	return id.String(), true
}

// content is an open file, with random access or as a stream.
type content struct {
	at     io.ReaderAt
	stream io.Reader
	closer io.Closer    // or nil
	check  func() error // returns an error if the file has changed; nil if that cannot be checked
}

// IsURL reports whether a name is a URL of a bucket or a web server.
func IsURL(name string) bool { return IsBucketURL(name) || isWebURL(name) }

// IsBucketURL reports whether a name is a URL of a bucket, or of an object or folder in one.
func IsBucketURL(name string) bool { return strings.HasPrefix(name, s3.Scheme) }

func isWebURL(name string) bool {
	return strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://")
}

// WithoutPath removes the path from an error about that path, for a message that
// begins with the name of the file.
func WithoutPath(path string, err error) error {
	var file *fs.PathError
	if errors.As(err, &file) && file.Path == path {
		return file.Err
	}
	return err
}
