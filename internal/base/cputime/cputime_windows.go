package cputime

import (
	"time"

	"golang.org/x/sys/windows"
)

// Used returns the processor time that the process has used. Windows counts it in steps
// of about 16 ms.
func Used() time.Duration {
	var created, exited, kernel, user windows.Filetime
	if err := windows.GetProcessTimes(windows.CurrentProcess(), &created, &exited, &kernel, &user); err != nil {
		return 0 // it cannot fail for the process itself
	}
	return duration(kernel) + duration(user)
}

// duration returns a FILETIME that is not a date but a number of 100 ns.
func duration(t windows.Filetime) time.Duration {
	return time.Duration(int64(t.HighDateTime)<<32|int64(t.LowDateTime)) * 100
}
