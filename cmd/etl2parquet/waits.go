package main

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/base/remote"
)

// waits are the servers that are waited for now.
type waits struct {
	show func(text string) bool // shows the text beside the progress, "" for none; false if there is no bar
	line func(text string)      // prints a line

	mu      sync.Mutex
	now     []remote.Wait
	printed time.Time // when a line was last printed
}

// betweenWaits is the least time between two lines about waiting.
const betweenWaits = 30 * time.Second

// add begins or ends a wait, and shows the one that began first.
func (w *waits) add(wait remote.Wait) {
	w.mu.Lock()
	defer w.mu.Unlock()
	began := wait
	began.Over = false
	if !wait.Over {
		w.now = append(w.now, began)
	} else if i := slices.Index(w.now, began); i >= 0 {
		w.now = slices.Delete(w.now, i, i+1)
	}
	text := ""
	if len(w.now) > 0 {
		text = waitText(w.now[0].Name, w.now[0].Server)
	}
	if w.show(text) || wait.Over || !w.printed.IsZero() && time.Since(w.printed) < betweenWaits {
		return
	}
	w.printed = time.Now()
	w.line(text)
}

// waitText says what a server is waited for; name is "" if that is not a file.
func waitText(name, server string) string {
	if name == "" {
		name = "an answer"
	}
	return fmt.Sprintf("waiting for %s from %s", printable(name), printable(server))
}
