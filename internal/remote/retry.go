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

// Patience is how often something is tried, and how long is waited in between:
// twice as long each time.
type Patience struct {
	Tries       int           // once the server has answered
	FirstTries  int           // before that: it may not be there at all
	First, Most time.Duration // waits
	Stall       time.Duration // after which a connection is given up on which nothing moves
}

// DefaultPatience lasts for some 20 s of failures, or two with a server that
// never answers.
var DefaultPatience = Patience{Tries: 8, FirstTries: 4, First: 250 * time.Millisecond, Most: 10 * time.Second, Stall: time.Minute}

// Retrier tries requests to one server.
type Retrier struct {
	Patience Patience
	// Final reports whether an error will be the same next time.
	Final func(error) bool

	answered atomic.Bool
}

// TriedError is an error that came again and again.
type TriedError struct {
	Tries int
	Err   error
}

func (e *TriedError) Error() string { return fmt.Sprintf("%v (tried %d times)", e.Err, e.Tries) }

func (e *TriedError) Unwrap() error { return e.Err }

// Do tries something until it is done, fails for good, or has been tried often
// enough.
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

// isDial reports whether nobody was reached.
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
