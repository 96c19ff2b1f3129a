package store

import "time"

// Files are in use for a moment by those who look at them: another process that
// asks whether a lock is held, a virus scanner, an index. Windows refuses to
// remove, replace or open a file then; see isBusy.
const (
	busyTries = 100
	busyPause = 20 * time.Millisecond
)

// patiently does something with a file, again while the file is in use, for two
// seconds at least.
func patiently(do func() error) error {
	for try := 1; ; try++ {
		err := do()
		if err == nil || try == busyTries || !isBusy(err) {
			return err
		}
		time.Sleep(busyPause)
	}
}
