package remote

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"sync"
	"time"
)

// ErrSilent and ErrSlow mean that a server used up [Patience.Stall]: it sent nothing, or less than
// [Patience.Rate].
var (
	ErrSilent = errors.New("the server sent nothing")
	ErrSlow   = errors.New("the server is too slow")
)

// errStalled ends one try, after a share of the time: another connection can be better.
var errStalled = errors.New("the server does not answer")

// stallsInAll is the number of tries that may end with errStalled.
const stallsInAll = 2

func silent(p *Patience) error { return fmt.Errorf("%w for %v", ErrSilent, p.Stall) }

// Wait is a silence of a server that lasts for noticeAfter.
type Wait struct {
	Name   string // the last element of the path that was requested, unescaped; may be ""
	Server string // its scheme and host
	Over   bool   // the silence has ended: the server has sent something, or the request has failed
}

// noticeAfter is the silence after which [Patience.OnWait] is called.
const noticeAfter = 5 * time.Second

// watch measures how long a server lets the tries of one call of a [Retrier] wait. Its clock runs
// while a request is under way or its answer is being read, and not while a request waits for a free
// connection, between tries, or while the caller does other things.
type watch struct {
	patience *Patience
	rated    bool // the rate is limited
	single   bool // the current try is the last one

	mu      sync.Mutex
	url     *url.URL // of the latest request
	cancel  context.CancelCauseFunc
	timer   *time.Timer
	within  bool // a transport has the request
	running bool
	stopped time.Time // when the clock stopped, if it is not running

	// The three begin later by the time in which the clock did not run.
	alive  time.Time // when the server last sent or took something
	begun  time.Time // when the try began
	window time.Time // when the current measurement of the rate began

	bytes   int64         // sent or taken since window
	noticed bool          // OnWait was called, and the silence goes on
	after   time.Duration // the pause that the server asked for
}

func newWatch(p *Patience, rated bool) *watch {
	now := time.Now()
	return &watch{patience: p, rated: rated && p.Rate > 0, stopped: now, alive: now, begun: now, window: now}
}

type watchKey struct{}

// try begins a try, and returns its context.
func (w *watch) try(ctx context.Context) context.Context {
	w.endTry()
	w.mu.Lock()
	defer w.mu.Unlock()
	ctx, w.cancel = context.WithCancelCause(context.WithValue(ctx, watchKey{}, w))
	w.begun, w.window, w.bytes, w.after = w.stopped, w.stopped, 0, 0
	return ctx
}

func (w *watch) endTry() {
	w.pause()
	w.mu.Lock()
	cancel := w.cancel
	w.cancel = nil
	w.mu.Unlock()
	if cancel != nil {
		cancel(nil)
	}
}

// end ends the watch, and its last try.
func (w *watch) end() {
	w.endTry()
	w.mu.Lock()
	over := w.noticed
	w.noticed = false
	w.mu.Unlock()
	if over {
		w.notify(true)
	}
}

// isLast makes the current try the last one.
func (w *watch) isLast() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.single = true
}

// causeOf returns why the watch has ended the try with this context, or nil.
func causeOf(ctx context.Context) error {
	cause := context.Cause(ctx)
	if errors.Is(cause, ErrSilent) || errors.Is(cause, ErrSlow) || errors.Is(cause, errStalled) {
		return cause
	}
	return nil
}

// resume lets the clock run.
func (w *watch) resume() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.running || w.cancel == nil {
		return
	}
	paused := time.Since(w.stopped)
	w.alive, w.begun, w.window = w.alive.Add(paused), w.begun.Add(paused), w.window.Add(paused)
	w.running = true
	if w.patience.Stall <= 0 {
		return
	}
	if next := w.next(); w.timer == nil {
		w.timer = time.AfterFunc(next, w.check)
	} else {
		w.timer.Reset(next)
	}
}

// pause stops the clock.
func (w *watch) pause() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.running {
		return
	}
	w.running, w.stopped = false, time.Now()
	if w.timer != nil {
		w.timer.Stop()
	}
}

// most returns the longest silence of a try.
func (w *watch) most() time.Duration {
	if w.single {
		return w.patience.Stall
	}
	return w.patience.Stall / stallsInAll // so that there is time for another connection
}

// next returns the time until the next check.
func (w *watch) next() time.Duration {
	next := min(time.Until(w.alive.Add(w.patience.Stall)), time.Until(later(w.alive, w.begun).Add(w.most())))
	if w.rated {
		next = min(next, time.Until(w.window.Add(w.patience.Stall)))
	}
	if !w.noticed {
		next = min(next, time.Until(w.alive.Add(noticeAfter)))
	}
	return next
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// check ends the try if the server takes too long, and reports a silence.
func (w *watch) check() {
	if w.judge() {
		w.notify(false)
	}
}

// judge ends the try if the server takes too long, and returns whether to report a silence.
func (w *watch) judge() (notice bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.running {
		return false
	}
	now, p := time.Now(), w.patience
	switch {
	case now.Sub(w.alive) >= p.Stall:
		w.cancel(silent(p))
		return false
	case now.Sub(later(w.alive, w.begun)) >= w.most():
		w.cancel(errStalled)
		return false
	case w.rated && now.Sub(w.window) >= p.Stall:
		if float64(w.bytes) < float64(p.Rate)*p.Stall.Seconds() {
			w.cancel(fmt.Errorf("%w: %d bytes in %v, and it must send %d a second", ErrSlow, w.bytes, p.Stall, p.Rate))
			return false
		}
		w.window, w.bytes = now, 0
	}
	if !w.noticed && now.Sub(w.alive) >= noticeAfter {
		w.noticed, notice = true, true
	}
	w.timer.Reset(w.next())
	return notice
}

// notify reports a silence, or its end.
func (w *watch) notify(over bool) {
	if w.patience.OnWait == nil {
		return
	}
	w.mu.Lock()
	at := w.url
	w.mu.Unlock()
	if at == nil {
		return
	}
	wait := Wait{Server: at.Scheme + "://" + at.Host, Over: over}
	if name := path.Base(at.Path); name != "/" && name != "." {
		wait.Name = name
	}
	w.patience.OnWait(wait)
}

// progress counts bytes that the server has sent or taken.
func (w *watch) progress(n int) {
	w.mu.Lock()
	w.alive = time.Now()
	w.bytes += int64(n)
	over := w.noticed
	w.noticed = false
	w.mu.Unlock()
	if over {
		w.notify(true)
	}
}

// request begins a request.
func (w *watch) request(to *url.URL) {
	w.mu.Lock()
	w.url, w.within = to, true
	w.mu.Unlock()
	w.resume()
}

// response ends a request; response is nil if it has failed.
func (w *watch) response(response *http.Response) {
	w.mu.Lock()
	w.within = false
	if response != nil {
		w.after = retryAfter(response)
	}
	w.mu.Unlock()
	if response != nil {
		w.progress(0)
	}
	w.pause()
}

// queued notes whether a request waits for a free connection.
func (w *watch) queued(waits bool) {
	w.mu.Lock()
	within := w.within
	w.mu.Unlock()
	switch {
	case !within: // a connection is made that the request no longer needs
	case waits:
		w.pause()
	default:
		w.resume()
	}
}

// pauseAsked returns the pause that the server asked for in the latest answer.
func (w *watch) pauseAsked() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.after
}

// retryAfter returns the pause that a response asks for, or 0.
func retryAfter(response *http.Response) time.Duration {
	if response.StatusCode != http.StatusTooManyRequests && response.StatusCode != http.StatusServiceUnavailable {
		return 0
	}
	text := response.Header.Get("Retry-After")
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, time.Until(at))
	}
	return 0
}
