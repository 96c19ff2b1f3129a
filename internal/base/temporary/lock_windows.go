package temporary

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"
)

// lockNew makes the file of a folder, which no other process can open while it is open.
func lockNew(folder string) (io.Closer, error) {
	return open(filepath.Join(folder, ownerFile), windows.CREATE_NEW)
}

// lockOld opens an existing file in this way, if no process has it open.
func lockOld(path string) (io.Closer, error) { return open(path, windows.OPEN_EXISTING) }

func open(path string, how uint32) (io.Closer, error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	const share = 0
	h, err := windows.CreateFile(name, windows.GENERIC_READ|windows.GENERIC_WRITE, share, nil, how, windows.FILE_ATTRIBUTE_NORMAL, 0)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(h), path), nil
}

// isOwn reports whether a folder belongs to this user: Windows has a folder for temporary files for each.
func isOwn(fs.FileInfo) bool { return true }
