package remote

import (
	"context"
	"net"
	"net/http"
	"time"
)

// DefaultConnections is the default limit on the connections of a transport.
const DefaultConnections = 32

// NewTransport returns a transport that closes a connection without progress in either
// direction for the time stall. A request that makes progress can take any time. When the
// limit of connections to a server is reached, requests wait.
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
		DisableCompression:  true, // compressed files must arrive as they are stored
	}
}

// conn is a connection that fails if it stalls.
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
	// While the request is being sent, waiting for the response is not a stall.
	if err := c.SetDeadline(time.Now().Add(c.stall)); err != nil {
		return 0, err
	}
	return c.Conn.Write(p)
}
