package cache

import (
	"math"

	"golang.org/x/sys/windows"
)

// freeSpace returns the bytes that a user can still write on the disk of an existing folder. It returns
// [errors.ErrUnsupported] on systems where that is not known.
func freeSpace(folder string) (int64, error) {
	path, err := windows.UTF16PtrFromString(folder)
	if err != nil {
		return 0, err
	}
	var free uint64
	if err := windows.GetDiskFreeSpaceEx(path, &free, nil, nil); err != nil {
		return 0, err
	}
	return int64(min(free, math.MaxInt64)), nil
}
