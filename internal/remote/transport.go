package remote

import (
	"context"
	"net"
	"net/http"
	"time"
)

// DefaultConnections is how many connections a transport has if nothing else
// is asked.
const DefaultConnections = 32

// NewTransport returns a transport that gives a connection up when nothing
// moves on it for so long, in either direction: a request may take as long as
// it needs, as long as it goes on. Requests wait for one another when as many
// connections to a server are in use as there may be.
func NewTransport(stall time.Duration, connections int) *http.Transport {
	dialer := &net.Dialer{Timeout: min(stall, 10*time.Second)}
	return &http.Transport{
		Proxy: http.ProxyFromEnvironment,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			c, err := dialer.DialContext(ctx, network, address)
			if err != nil {
				return nil, err
			}
			return &conn{c, stall}, nil
		},
		MaxConnsPerHost:     connections,
		MaxIdleConnsPerHost: connections,
		MaxIdleConns:        connections,
		IdleConnTimeout:     stall,
		TLSHandshakeTimeout: min(stall, 10*time.Second),
		DisableCompression:  true, // what is stored compressed is wanted as it is
	}
}

// conn is a connection that must not stall.
type conn struct {
	net.Conn
	stall time.Duration
}

func (c *conn) Read(p []byte) (int, error) {
	if err := c.SetReadDeadline(time.Now().Add(c.stall)); err != nil {
		return 0, err
	}
	return c.Conn.Read(p)
}

func (c *conn) Write(p []byte) (int, error) {
	// An answer is waited for while the request is on its way: that it is, counts.
	if err := c.SetDeadline(time.Now().Add(c.stall)); err != nil {
		return 0, err
	}
	return c.Conn.Write(p)
}
