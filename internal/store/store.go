package store

import (
	"context"
	"io"
	"iter"
	"time"
)

// Store keeps files under names with slashes, such as a/b/c.parquet. Its
// methods can be called by any number of goroutines.
type Store interface {
	// Prepare makes the place for files, if need be, and finds out whether
	// there can be any.
	Prepare(ctx context.Context) error
	// Begin tells other processes, until Close or the end of this one, that it
	// writes here. If one was interrupted, or always, it calls clear, and none
	// begins before that returns: alone says that no other writes now, which a
	// store may not know.
	Begin(ctx context.Context, always bool, clear func(alone bool) error) error
	// Close takes back what Prepare made, if there are no files in it, and what
	// Begin has told.
	Close() error

	// Create begins a file.
	Create(ctx context.Context, name string) (File, error)
	// Open opens a published file; [fs.ErrNotExist] if there is none.
	Open(ctx context.Context, name string) (Content, error)
	// ReadFile reads all of a small file; [fs.ErrNotExist] if there is none.
	ReadFile(ctx context.Context, name string) ([]byte, error)
	// Sizes returns the sizes of files, -1 where there is none.
	Sizes(ctx context.Context, names ...string) ([]int64, error)
	// Folders returns the names of the folders in a folder ("" is the
	// outermost), sorted. There may be nothing in them, or no such folder.
	Folders(ctx context.Context, folder string) ([]string, error)
	// List goes through the published files in and below a folder ("" for all), in no
	// order that means anything.
	List(ctx context.Context, folder string) iter.Seq2[Entry, error]
	// Remove removes files, for good when it returns; those that are not there are no error.
	Remove(ctx context.Context, names ...string) error

	// Sync makes it last that files were published under these names: it is called
	// once for all files of a commit, and visits each of their folders once.
	Sync(ctx context.Context, names ...string) error

	// Leftovers returns what processes have left that ended before they could
	// publish or discard their files, or that have not yet done so; but not what
	// is of a process that has called Begin and is known to run.
	Leftovers(ctx context.Context) ([]Leftover, error)
	// RemoveLeftovers removes such; those that are gone are no error.
	RemoveLeftovers(ctx context.Context, leftovers ...Leftover) error

	// URL returns the path or URL under which others find a file.
	URL(name string) string
}

// File is a file on its way into a store.
type File interface {
	io.Writer
	// Stage brings what was written to where the store has it safe, and ends
	// the writing. Those who read see what they saw before.
	Stage(ctx context.Context) (size int64, err error)
	// Publish gives a staged file its name, in the place of what had it. After a
	// crash the file may be without it again, until Sync has returned.
	Publish(ctx context.Context) error
	// Discard gives up what is not published.
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

// Leftover is a file that was begun and not published, or a folder, whose name
// ends in a slash, that was made and has nothing in it.
type Leftover struct {
	Name  string    // of the file that it was to be
	ID    string    // by which the store finds it
	Size  int64     // -1 if the store does not tell
	Time  time.Time // since when it is as it is
	Ended bool      // whoever began it writes no longer
}
