package bench

import (
	"cmp"
	"runtime"
)

// Machine describes the machine of a benchmark.
type Machine struct {
	OS     string `json:"os"`     // of Go: linux, darwin, windows
	Arch   string `json:"arch"`   // of Go: amd64, arm64
	System string `json:"system"` // version of the operating system, "" if unknown
	CPU    string `json:"cpu"`    // model, "" if unknown
	Cores  int    `json:"cores"`  // that the process may use
	Memory int64  `json:"memory_bytes"`
}

// ThisMachine describes the machine of the process.
func ThisMachine() Machine {
	m := Machine{OS: runtime.GOOS, Arch: runtime.GOARCH, Cores: runtime.NumCPU()}
	m.describe()
	return m
}

func (m *Machine) cpuName() string { return cmp.Or(m.CPU, "unknown processor") }
