package storetest

import (
	"errors"
	"io"
	"net"
	"sync"
	"testing"
)

// Fault is a fault of a network.
type Fault struct {
	Bytes int  // bytes that pass, over all connections, before the fault occurs
	Times int  // number of occurrences; 0 means without end
	Stall bool // a connection stays open, but passes no more bytes
}

// Proxy is a network between a client and a server.
type Proxy struct {
	Address string // host:port; replaces the server's address

	mu     sync.Mutex
	fault  *Fault
	passed int // bytes since the latest fault
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
				return // the listener is closed
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
			c.Close() // ends its goroutines, which need no error
		}
		p.mu.Unlock()
		wait.Wait()
	})
	return p
}

// Fail makes a fault occur from now on; nil ends it.
func (p *Proxy) Fail(f *Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fault, p.passed, p.faults = f, 0, 0
}

// Faults returns the number of faults so far.
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
			io.Copy(io.Discard, from) // until the other end closes
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

// count counts bytes, and returns the fault if it occurs now.
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
