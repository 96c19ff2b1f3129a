package main

import (
	"math"

	"github.com/KimMachineGun/automemlimit/memlimit"
	"github.com/shirou/gopsutil/v4/mem"
)

// freeMemory returns the bytes that programs can get without swapping, at most the limit of the process's
// control group on Linux. It returns 0 if the system does not say.
func freeMemory() int64 {
	machine, err := mem.VirtualMemory()
	if err != nil {
		return 0
	}
	available := machine.Available
	if limit, err := memlimit.FromCgroup(); err == nil {
		available = min(available, limit)
	}
	return int64(min(available, math.MaxInt64))
}
