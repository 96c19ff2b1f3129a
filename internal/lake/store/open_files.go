package store

import (
	"container/list"
	"context"
	"errors"
	"io/fs"
	"os"
	"sync"
)

// defaultOpenFiles is below the limit of every system.
const defaultOpenFiles = 128

// openFiles bounds the files that a folder has open. Files being written stay open between
// writes if there is room. To make room, the file written longest ago is closed; it is
// reopened for its next write.
//
// A slot is held while a file is in use: for one system call, or as long as a [Content] is
// open. A holder of a slot never waits for another slot, so there is no deadlock.
type openFiles struct {
	slots chan struct{} // one for each file in use

	mu   sync.Mutex
	open int       // number of open files, in use or idle
	idle list.List // of *localFile, the one written longest ago first
}

func newOpenFiles(most int) *openFiles { return &openFiles{slots: make(chan struct{}, max(most, 1))} }

// begin waits until one more file may be opened, or the context ends.
func (o *openFiles) begin(ctx context.Context) error {
	select {
	case o.slots <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.makeRoom()
	return nil
}

// end must be called when that file has been closed.
func (o *openFiles) end() {
	o.mu.Lock()
	o.open--
	o.mu.Unlock()
	<-o.slots
}

// makeRoom counts one more open file, and closes another if necessary. There are at most as
// many files in use as slots, so one is idle if all are open.
func (o *openFiles) makeRoom() {
	if o.open < cap(o.slots) {
		o.open++
		return
	}
	f := o.idle.Remove(o.idle.Front()).(*localFile)
	f.closed = errors.Join(f.closed, f.file.Close())
	f.file = nil
}

// use opens a file that is being written, unless it is open.
func (o *openFiles) use(f *localFile) error {
	o.slots <- struct{}{} // every holder soon releases its slot
	o.mu.Lock()
	if f.file != nil {
		o.idle.Remove(f.place)
		o.mu.Unlock()
		return nil
	}
	o.makeRoom()
	o.mu.Unlock()
	err := f.closed
	if err == nil {
		f.file, err = reopen(f.tmp, f.size)
	}
	if err != nil {
		o.end()
	}
	return err
}

// leave ends the use of a file and leaves it open if there is room.
func (o *openFiles) leave(f *localFile) {
	o.mu.Lock()
	f.place = o.idle.PushBack(f)
	o.mu.Unlock()
	<-o.slots
}

// close closes a file in use.
func (o *openFiles) close(f *localFile) error {
	defer o.end()
	file := f.file
	f.file = nil
	return file.Close()
}

// forget closes an idle file.
func (o *openFiles) forget(f *localFile) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if f.file == nil {
		return
	}
	o.idle.Remove(f.place)
	o.open--
	f.file.Close() // its contents are discarded, so an error does not matter
	f.file = nil
}

var errNotAsWritten = errors.New("another program has changed it while it was written")

// reopen opens a file to continue writing.
func reopen(path string, size int64) (*os.File, error) {
	var file *os.File
	err := patiently(func() (err error) {
		file, err = os.OpenFile(path, os.O_WRONLY, 0)
		return err
	})
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && info.Size() != size {
		err = &fs.PathError{Op: "write", Path: path, Err: errNotAsWritten}
	}
	if err != nil {
		file.Close() // nothing was written
		return nil, err
	}
	return file, nil
}
