package remote

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"sync/atomic"
	"time"
)

// Patience gives the number of attempts and the waits between them, which double each time.
type Patience struct {
	Tries       int           // attempts once the server has answered
	FirstTries  int           // attempts before that: the server may not exist
	First, Most time.Duration // the first and the longest wait
	Stall       time.Duration // a connection without progress for this time is closed
}

// DefaultPatience lasts for about 20 s of failures, or 2 s with a server that never answers.
var DefaultPatience = Patience{Tries: 8, FirstTries: 4, First: 250 * time.Millisecond, Most: 10 * time.Second, Stall: time.Minute}

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

func (e *TriedError) Error() string { return fmt.Sprintf("%v (tried %d times)", e.Err, e.Tries) }

func (e *TriedError) Unwrap() error { return e.Err }

// Do calls a function until it succeeds, its error is final, or the attempts are used up.
func (r *Retrier) Do(ctx context.Context, try func(context.Context) error) error {
	wait := r.Patience.First
	for n := 1; ; n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := try(ctx)
		if !isDial(err) {
			r.answered.Store(true)
		}
		tries := r.Patience.FirstTries
		if r.answered.Load() {
			tries = r.Patience.Tries
		}
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case r.isFinal(err):
			return err
		case n >= tries:
			return &TriedError{n, err}
		}
		if err := sleep(ctx, wait/2+rand.N(wait/2+1)); err != nil {
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
