package temporary

import "os"

// Disk describes the system's file that holds all files of the pool.
func (f *File) Disk() (os.FileInfo, error) { return f.disk.Stat() }
