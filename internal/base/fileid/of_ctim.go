//go:build dragonfly || linux || openbsd

package fileid

import "syscall"

func changed(s *syscall.Stat_t) int64 { return s.Ctim.Nano() }
