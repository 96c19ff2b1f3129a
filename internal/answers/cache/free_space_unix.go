//go:build darwin || freebsd || linux

package cache

import (
	"math"
	"math/bits"

	"golang.org/x/sys/unix"
)

// freeSpace returns the bytes that a user can still write on the disk of an existing folder. It returns
// [errors.ErrUnsupported] on systems where that is not known.
func freeSpace(folder string) (int64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(folder, &s); err != nil {
		return 0, err
	}
	high, low := bits.Mul64(uint64(max(int64(s.Bavail), 0)), uint64(s.Bsize))
	if high > 0 || low > math.MaxInt64 {
		return math.MaxInt64, nil
	}
	return int64(low), nil
}
