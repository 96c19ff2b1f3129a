package remote

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"sync/atomic"
	"time"
)

// Patience limits how long and how often a server is asked. The waits between tries double each
// time.
type Patience struct {
	Tries       int           // attempts once the server has answered
	FirstTries  int           // attempts before that: the server may not exist
	First, Most time.Duration // the first and the longest wait

	// Stall is the longest time, over all attempts together, in which a server sends and takes
	// nothing, or less than Rate. It also limits the sum of the waits between attempts.
	Stall time.Duration
	Rate  int64 // bytes a second, averaged over Stall, of a file that is being sent; 0: any

	// OnWait is called when a server is silent for some seconds, and when that is over. It is
	// called from many goroutines. It may be nil.
	OnWait func(Wait)
}

// DefaultPatience lasts for about 20 s of failures, 2 s with a server that never answers, or a
// minute of silence.
var DefaultPatience = Patience{Tries: 8, FirstTries: 4, First: 250 * time.Millisecond, Most: 10 * time.Second, Stall: time.Minute, Rate: 1 << 10}

// IsZero reports whether nothing was set: the default is meant.
func (p *Patience) IsZero() bool { return p.Tries == 0 }

// ErrRefused means that a server refuses the credentials, so that all requests would fail.
var ErrRefused = errors.New("the server refuses the credentials")

// Retrier retries requests to one server.
type Retrier struct {
	Patience Patience
	// Final reports whether a retry would give the same error.
	Final func(error) bool

	answered atomic.Bool
}

// TriedError is the error of the last of several attempts.
type TriedError struct {
	Tries int
	Err   error
}

func (e *TriedError) Error() string { return e.Text(e.Err.Error()) }

// Text appends the number of attempts to a message, if there was more than one.
func (e *TriedError) Text(message string) string {
	if e.Tries < 2 {
		return message
	}
	return fmt.Sprintf("%s (tried %d times)", message, e.Tries)
}

func (e *TriedError) Unwrap() error { return e.Err }

// Do calls a function until it succeeds, its error is final, or the attempts or the time are used
// up. The context of a call ends with the call. The function must send its requests with that
// context, through a [Transport].
func (r *Retrier) Do(ctx context.Context, try func(context.Context) error) error {
	return r.do(ctx, newWatch(&r.Patience, false), try)
}

// Transfer is Do for a function that sends or receives the contents of a file: it also fails if the
// rate is too low.
func (r *Retrier) Transfer(ctx context.Context, try func(context.Context) error) error {
	return r.do(ctx, newWatch(&r.Patience, true), try)
}

func (r *Retrier) do(ctx context.Context, w *watch, try func(context.Context) error) error {
	defer w.end()
	return r.attempts(ctx, w, try)
}

// Stream is Transfer for a body that the caller reads. Errors while it is read are not retried. The
// caller must close it.
func (r *Retrier) Stream(ctx context.Context, open func(context.Context) (io.ReadCloser, error)) (io.ReadCloser, error) {
	w := newWatch(&r.Patience, true)
	s := &stream{watch: w}
	err := r.attempts(ctx, w, func(ctx context.Context) (err error) {
		s.ctx = ctx
		s.body, err = open(ctx)
		return err
	})
	if err != nil {
		w.end()
		return nil, err
	}
	w.isLast()
	return s, nil
}

// stream is a body that is being read.
type stream struct {
	body  io.ReadCloser
	ctx   context.Context
	watch *watch
}

func (s *stream) Read(p []byte) (int, error) {
	n, err := s.body.Read(p)
	if cause := causeOf(s.ctx); err != nil && err != io.EOF && cause != nil {
		err = cause
	}
	return n, err
}

func (s *stream) Close() error {
	err := s.body.Close()
	s.watch.end()
	return err
}

// attempts calls a function as Do describes it. The context of the last call lives until the watch
// ends.
func (r *Retrier) attempts(ctx context.Context, w *watch, try func(context.Context) error) error {
	wait, waited, stalls := r.Patience.First, time.Duration(0), 0
	for n := 1; ; n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		attempt := w.try(ctx)
		err := try(attempt)
		cause := causeOf(attempt)
		if err != nil && ctx.Err() == nil {
			err = cmp.Or(cause, err)
		}
		if errors.Is(err, errStalled) {
			if stalls++; stalls == stallsInAll {
				err = silent(&r.Patience)
			}
		}
		if !isDial(err) {
			r.answered.Store(true)
		}
		tries := r.Patience.FirstTries
		if r.answered.Load() {
			tries = r.Patience.Tries
		}
		pause := max(wait/2+rand.N(wait/2+1), w.pauseAsked())
		waited += pause
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case r.isFinal(err):
			return err
		case n >= tries, errors.Is(err, ErrSilent), errors.Is(err, ErrSlow):
			return &TriedError{n, err}
		case r.Patience.Stall > 0 && waited > r.Patience.Stall:
			if asked := w.pauseAsked(); asked > 0 {
				err = fmt.Errorf("%w, and asks for a pause of %v", err, asked)
			}
			return &TriedError{n, err}
		}
		if err := sleep(ctx, pause); err != nil {
			return err
		}
		wait = min(2*wait, r.Patience.Most)
	}
}

// isDial reports whether no connection could be made.
func isDial(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}

func (r *Retrier) isFinal(err error) bool {
	var dns *net.DNSError
	var unknown x509.UnknownAuthorityError
	var host x509.HostnameError
	var invalid x509.CertificateInvalidError
	var record tls.RecordHeaderError
	return errors.As(err, &dns) && dns.IsNotFound ||
		errors.As(err, &unknown) || errors.As(err, &host) || errors.As(err, &invalid) || errors.As(err, &record) ||
		r.Final(err)
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
