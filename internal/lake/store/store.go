package store

import (
	"context"
	"io"
	"iter"
	"time"
)

// Store stores files under names with slashes, such as a/b/c.parquet. Its methods are safe for
// use from many goroutines.
type Store interface {
	// Prepare creates the folder or checks the bucket, and returns an error if no
	// files can be written there.
	Prepare(ctx context.Context) error
	// Begin announces to other processes that this one writes here, until Close or the
	// end of the process. If another was interrupted, or if always is true, it calls
	// clear, and no process begins before that returns. alone is true if it is known
	// that no other process writes now.
	Begin(ctx context.Context, always bool, clear func(alone bool) error) error
	// Close withdraws the announcement of Begin, and removes a folder that Prepare
	// created if it is empty.
	Close() error

	// Create begins a file.
	Create(ctx context.Context, name string) (File, error)
	// Open opens a published file, or returns [fs.ErrNotExist].
	Open(ctx context.Context, name string) (Content, error)
	// ReadFile reads a small file, or returns [fs.ErrNotExist].
	ReadFile(ctx context.Context, name string) ([]byte, error)
	// Sizes returns the sizes of files, -1 for missing ones.
	Sizes(ctx context.Context, names ...string) ([]int64, error)
	// Folders returns the sorted names of the folders in a folder ("" for the root).
	// They may be empty; the folder may be missing.
	Folders(ctx context.Context, folder string) ([]string, error)
	// List iterates over the published files in and below a folder ("" for all), in no
	// particular order.
	List(ctx context.Context, folder string) iter.Seq2[Entry, error]
	// Remove deletes files durably; missing files are ignored.
	Remove(ctx context.Context, names ...string) error

	// Sync makes the publication of files under these names durable. It is called once for
	// all files of a commit, and visits each of their folders once.
	Sync(ctx context.Context, names ...string) error

	// Leftovers returns files that were neither published nor discarded, and empty
	// folders. Files of a process that has called Begin and is known to run are not
	// among them.
	Leftovers(ctx context.Context) ([]Leftover, error)
	// RemoveLeftovers removes leftovers; missing ones are ignored.
	RemoveLeftovers(ctx context.Context, leftovers ...Leftover) error

	// URL returns the path or URL under which others find a file.
	URL(name string) string
}

// File is a file on its way into a store.
type File interface {
	io.Writer
	// Stage ends the writing and makes the contents durable. Readers do not see them yet.
	Stage(ctx context.Context) (size int64, err error)
	// Publish gives a staged file its name, and replaces a file that had it. Until Sync has
	// returned, a crash can undo that.
	Publish(ctx context.Context) error
	// Discard drops the file unless it is published.
	Discard(ctx context.Context) error
}

// Content is a file that is read.
type Content interface {
	io.ReaderAt
	io.Closer
	Size() int64
}

// Entry is a file in a list.
type Entry struct {
	Name string
	Size int64
	Time time.Time // when it was written
}

// Leftover is a file that was begun and not published, or an empty folder, whose name ends in
// a slash.
type Leftover struct {
	Name  string    // the name it would have been published under
	ID    string    // by which the store finds it
	Size  int64     // -1 if unknown
	Time  time.Time // of the last change
	Ended bool      // its process is known to write no longer
}
