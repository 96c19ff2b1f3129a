package spool

import "os"

// Disk describes the file of the system that has all files of the pool.
func (f *File) Disk() (os.FileInfo, error) { return f.disk.Stat() }
