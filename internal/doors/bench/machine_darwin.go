package bench

import "golang.org/x/sys/unix"

func (m *Machine) describe() {
	m.CPU, _ = unix.Sysctl("machdep.cpu.brand_string")
	if version, err := unix.Sysctl("kern.osproductversion"); err == nil {
		m.System = "macOS " + version
	}
	if bytes, err := unix.SysctlUint64("hw.memsize"); err == nil {
		m.Memory = int64(bytes)
	}
}
