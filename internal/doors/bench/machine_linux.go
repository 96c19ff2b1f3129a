package bench

import (
	"bufio"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

func (m *Machine) describe() {
	var name unix.Utsname
	if unix.Uname(&name) == nil {
		m.System = "Linux " + unix.ByteSliceToString(name.Release[:])
	}
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) == nil {
		m.Memory = int64(uint64(info.Totalram) * uint64(info.Unit))
	}
	m.CPU = cpuModel("/proc/cpuinfo")
}

// cpuModel returns the model of the first processor. The file of arm64 names none.
func cpuModel(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if key, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
