package storetest

import (
	"errors"
	"io"
	"net"
	"sync"
	"testing"
)

// Fault is what is wrong with a network.
type Fault struct {
	Bytes int  // that pass, of all connections together, before it shows
	Times int  // how often it does; 0 is always
	Stall bool // a connection does not end, but nothing passes any longer
}

// Proxy is a network between a client and a server.
type Proxy struct {
	Address string // host:port, in the place of the server's

	mu     sync.Mutex
	fault  *Fault
	passed int // bytes, since the fault showed last
	faults int
	conns  map[net.Conn]bool
}

// NewProxy returns a network without faults.
func NewProxy(t *testing.T, server string) *Proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{Address: l.Addr().String(), conns: make(map[net.Conn]bool)}
	var wait sync.WaitGroup
	wait.Go(func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return // it is closed
			}
			wait.Go(func() { p.connect(client, server) })
		}
	})
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		p.mu.Lock()
		for c := range p.conns {
			c.Close() // its ends know
		}
		p.mu.Unlock()
		wait.Wait()
	})
	return p
}

// Fail has a fault show from now on; nil heals.
func (p *Proxy) Fail(f *Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fault, p.passed, p.faults = f, 0, 0
}

// Faults returns how often the fault has shown.
func (p *Proxy) Faults() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.faults
}

func (p *Proxy) connect(client net.Conn, server string) {
	defer client.Close()
	upstream, err := net.Dial("tcp", server)
	if err != nil {
		return
	}
	defer upstream.Close()
	p.mu.Lock()
	p.conns[client], p.conns[upstream] = true, true
	p.mu.Unlock()
	var wait sync.WaitGroup
	pass := func(to, from net.Conn) {
		if err := p.pass(to, from); errors.Is(err, errStalled) {
			io.Copy(io.Discard, from) // until the other end gives up
		}
		client.Close()
		upstream.Close()
	}
	wait.Go(func() { pass(upstream, client) })
	wait.Go(func() { pass(client, upstream) })
	wait.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.conns, client)
	delete(p.conns, upstream)
}

var (
	errCut     = errors.New("cut")
	errStalled = errors.New("stalled")
)

// pass passes bytes on until there is a fault.
func (p *Proxy) pass(to, from net.Conn) error {
	buffer := make([]byte, 16<<10)
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			if fault := p.count(n); fault != nil {
				return fault
			}
			if _, err := to.Write(buffer[:n]); err != nil {
				return err
			}
		}
		if err != nil {
			return err
		}
	}
}

// count counts bytes, and returns the fault if it shows.
func (p *Proxy) count(n int) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.fault == nil || p.fault.Times > 0 && p.faults == p.fault.Times {
		return nil
	}
	if p.passed += n; p.passed <= p.fault.Bytes {
		return nil
	}
	p.passed = 0
	p.faults++
	if p.fault.Stall {
		return errStalled
	}
	return errCut
}
