//go:build !linux

package cache

// bootName returns a name that is another one each time the machine starts, or "".
func bootName() string { return "" }
