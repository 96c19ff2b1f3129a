// Package fileid tells whether a file is still the same: by its state, without reading it, or by the hash
// of its bytes.
//
// Size and time of modification do not say it: programs set the time back, and a file system may count it
// in steps of seconds. The time of the last change of a file's state (st_ctime of POSIX, ChangeTime of
// Windows' FILE_BASIC_INFO) is set by the system at every write, rename and change of times, and no
// program can choose it. An [ID] has it.
//
//   - https://pubs.opengroup.org/onlinepubs/9699919799/basedefs/sys_stat.h.html
//   - https://learn.microsoft.com/en-us/windows/win32/api/winbase/ns-winbase-file_basic_info
//
// Several workers can take the [Hash] of one file at once. It is the hash of the hashes of the chunks of
// 4 MiB, one after another; the last chunk may be shorter. It depends only on the bytes. In a shell:
//
//	split -b 4M --filter='xxhsum -H2 | cut -c1-32' FILE | xxd -r -p | xxhsum -H2
//
// XXH3 takes 1 to 2 % of the time of a conversion on every processor. SHA-256, which old records have,
// takes up to 38 % on processors without instructions for it.
package fileid

import (
	"fmt"
	"time"
)

// ID identifies the state of a file. Two equal ids of one machine, both settled, mean equal contents.
type ID struct {
	Device, File      uint64 // the number of the file system, and of the file in it
	Size              int64  // bytes
	Modified, Changed int64  // in ns since 1970-01-01 UTC
}

// settleTime is the age at which the time of the last change of a file is trusted. A file that changed
// later can change again within the same step of the file system's clock, which is 2 s with FAT.
const settleTime = 2 * time.Second

// IsSettled reports whether a further change would have changed the id, which was read at a time now or
// later.
func (id *ID) IsSettled(now time.Time) bool {
	return now.Sub(time.Unix(0, id.Changed)) >= settleTime && now.Sub(time.Unix(0, id.Modified)) >= settleTime
}

// String returns the id as text. Texts of different ids differ.
func (id *ID) String() string {
	return fmt.Sprintf("%x:%x:%d:%d:%d", id.Device, id.File, id.Size, id.Modified, id.Changed)
}
