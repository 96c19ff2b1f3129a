package answers

import (
	"math"
	"os/exec"
	"strconv"
	"unsafe"

	"golang.org/x/sys/windows"
)

// ownGroup makes a program be killed together with its child processes: the duckdb of PyPI is a
// program that starts another one.
func ownGroup(cmd *exec.Cmd) {
	cmd.Cancel = func() error {
		if exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid)).Run() == nil {
			return nil
		}
		return cmd.Process.Kill()
	}
}

// endWithUs makes a started program and its child processes end with this process, also if that is
// killed: they are in a job, and Windows ends the processes of a job when its last handle is closed.
// The job also limits their memory. release closes the handle; the program must have ended. If there is no job, a program whose process is
// killed ends after its statement.
func endWithUs(cmd *exec.Cmd, bound memoryBound) (release func()) {
	none := func() {}
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return none
	}
	release = func() { _ = windows.CloseHandle(job) }
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE},
	}
	if bound.data > 0 {
		limits.BasicLimitInformation.LimitFlags |= windows.JOB_OBJECT_LIMIT_JOB_MEMORY
		limits.JobMemoryLimit = uintptr(min(bound.data, math.MaxInt))
	}
	if _, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits))); err != nil {
		release()
		return none
	}
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(cmd.Process.Pid))
	if err != nil {
		release()
		return none
	}
	defer windows.CloseHandle(process) // of a handle that was opened
	if err := windows.AssignProcessToJobObject(job, process); err != nil {
		release()
		return none
	}
	return release
}
