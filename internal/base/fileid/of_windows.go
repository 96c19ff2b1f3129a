package fileid

import (
	"errors"
	"os"
	"unsafe"

	"golang.org/x/sys/windows"
)

// basicInfo is FILE_BASIC_INFO.
type basicInfo struct {
	Created, Accessed, Written, Changed windows.Filetime
	Attributes                          uint32
	_                                   uint32
}

// Of returns the id of the file at a path. It returns [errors.ErrUnsupported] where files have none.
func Of(path string) (id ID, err error) {
	file, err := os.Open(path)
	if err != nil {
		return id, err
	}
	defer file.Close() // only its state is read
	handle := windows.Handle(file.Fd())
	var info windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(handle, &info); err != nil {
		return id, &os.PathError{Op: "identify", Path: path, Err: err}
	}
	var basic basicInfo
	if err := windows.GetFileInformationByHandleEx(handle, windows.FileBasicInfo, (*byte)(unsafe.Pointer(&basic)), uint32(unsafe.Sizeof(basic))); err != nil {
		return id, &os.PathError{Op: "identify", Path: path, Err: err}
	}
	if basic.Changed == (windows.Filetime{}) { // the file system has no such time
		return id, errors.ErrUnsupported
	}
	return ID{
		uint64(info.VolumeSerialNumber), uint64(info.FileIndexHigh)<<32 | uint64(info.FileIndexLow), int64(info.FileSizeHigh)<<32 | int64(info.FileSizeLow),
		basic.Written.Nanoseconds(), basic.Changed.Nanoseconds(),
	}, nil
}
