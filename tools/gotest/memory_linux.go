package main

import "syscall"

// memoryFolder returns a folder in memory that has room for most bytes and allows
// running programs, or "".
func memoryFolder(most uint64) string {
	const folder, noExec = "/dev/shm", 0x8 // ST_NOEXEC of statvfs(3)
	var s syscall.Statfs_t
	if err := syscall.Statfs(folder, &s); err != nil || s.Flags&noExec != 0 || s.Bavail < most/uint64(s.Bsize) {
		return ""
	}
	return folder
}
