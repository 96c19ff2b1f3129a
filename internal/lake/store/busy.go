package store

import "time"

// Other processes can briefly have a file open: to check whether a lock is held, to scan for
// viruses, or to index. Windows then refuses to remove, replace or open the file; see isBusy.
const (
	busyTries = 100
	busyPause = 20 * time.Millisecond
)

// patiently retries an operation while its file is in use, for at least two seconds.
func patiently(do func() error) error {
	for try := 1; ; try++ {
		err := do()
		if err == nil || try == busyTries || !isBusy(err) {
			return err
		}
		time.Sleep(busyPause)
	}
}
