package remote

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"time"
)

// DefaultConnections is the default limit on the connections of a transport.
const DefaultConnections = 32

// Transport sends requests, and reports their progress to the [Retrier] that made them.
type Transport struct{ base *http.Transport }

// NewTransport returns a transport that closes a connection without progress in either
// direction for the time stall. When the limit of connections to a server is reached, requests
// wait.
func NewTransport(stall time.Duration, connections int) *Transport {
	dialer := &net.Dialer{Timeout: min(stall, 10*time.Second)}
	return &Transport{&http.Transport{
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
	}}
}

// CloseIdleConnections closes connections that no request uses.
func (t *Transport) CloseIdleConnections() { t.base.CloseIdleConnections() }

// RoundTrip implements [http.RoundTripper].
func (t *Transport) RoundTrip(request *http.Request) (*http.Response, error) {
	return roundTrip(t.base, request)
}

// roundTrip sends a request with a transport, under the watch of the request's context, if any.
func roundTrip(base http.RoundTripper, request *http.Request) (*http.Response, error) {
	w, ok := request.Context().Value(watchKey{}).(*watch)
	if !ok {
		return base.RoundTrip(request)
	}
	request = request.WithContext(httptrace.WithClientTrace(request.Context(), w.trace()))
	if request.Body != nil && request.ContentLength != 0 {
		request.Body = &sentBody{request.Body, w}
	}
	w.request(request.URL)
	response, err := base.RoundTrip(request)
	w.response(response)
	if err != nil {
		return nil, err
	}
	response.Body = &receivedBody{response.Body, w}
	return response, nil
}

// trace returns hooks that stop the clock while a request waits for a free connection.
func (w *watch) trace() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		GetConn:              func(string) { w.queued(true) },
		DNSStart:             func(httptrace.DNSStartInfo) { w.queued(false) },
		ConnectStart:         func(string, string) { w.queued(false) },
		GotConn:              func(httptrace.GotConnInfo) { w.queued(false) },
		GotFirstResponseByte: func() { w.progress(0) },
	}
}

// sentBody is the body of a request. The transport reads on when the server has taken what was read.
type sentBody struct {
	io.ReadCloser
	watch *watch
}

func (b *sentBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.watch.progress(n)
	return n, err
}

// receivedBody is the body of a response.
type receivedBody struct {
	io.ReadCloser
	watch *watch
}

func (b *receivedBody) Read(p []byte) (int, error) {
	b.watch.resume()
	n, err := b.ReadCloser.Read(p)
	if n > 0 {
		b.watch.progress(n)
	}
	b.watch.pause()
	return n, err
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
