package cache

import (
	"os"
	"strings"
)

// bootName returns a name that is another one each time the machine starts, or "".
//
// https://docs.kernel.org/admin-guide/sysctl/kernel.html#random
func bootName() string {
	name, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(name))
}
