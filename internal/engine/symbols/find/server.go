package find

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync/atomic"

	"github.com/etl2parquet/etl2parquet/internal/base/remote"
)

const (
	connections  = 8 // to a server at a time
	maxRedirects = 5
	maxFailures  = 2 // in a row; then the server, or the cache, is no longer used
)

// userAgent has the word that some servers require.
const userAgent = "etl2parquet (compatible: Microsoft-Symbol-Server/10.0.0.0)"

// errRedirect means that a redirection is not followed.
var errRedirect = errors.New("the server redirects")

// server is a symbol server that may be used.
type server struct {
	base     *url.URL
	client   *http.Client
	retry    *remote.Retrier
	failures atomic.Int32
}

func newServer(address string, client *http.Client, o Options) (*server, error) {
	base, err := url.Parse(address)
	if err != nil || !isAddress(address) || base.Host == "" {
		return nil, fmt.Errorf("%q is no address of a symbol server: it must begin with https:// or http://", remote.Name(address))
	}
	s := &server{base: base, client: client, retry: &remote.Retrier{Patience: o.Patience, Final: isFinal}}
	if o.Progress != nil {
		s.retry.Patience.OnWait = func(w remote.Wait) {
			if !w.Over {
				o.Progress(Progress{Name: w.Name, Server: s.String(), Waiting: true})
			}
		}
	}
	return s, nil
}

func (s *server) String() string { return remote.Name(s.base.String()) }

// newClient returns a client that follows few redirections, and none from https to http.
func newClient(o Options) *http.Client {
	client := &http.Client{}
	if o.Client != nil {
		*client = *o.Client
	} else {
		client.Transport = remote.NewTransport(o.Patience.Stall, connections)
	}
	client.CheckRedirect = checkRedirect
	return client
}

func checkRedirect(to *http.Request, via []*http.Request) error {
	from := via[len(via)-1].URL.Scheme
	switch {
	case len(via) > maxRedirects:
		return fmt.Errorf("%w more than %d times", errRedirect, maxRedirects)
	case to.URL.Scheme != "https" && (from != "http" || to.URL.Scheme != "http"):
		return fmt.Errorf("%w from %s to %.10s", errRedirect, from, to.URL.Scheme)
	}
	return nil
}

// isFinal reports whether trying a request again is useless.
func isFinal(err error) bool {
	var status remote.StatusError
	var write *cacheError
	var other *MismatchError
	if errors.As(err, &status) {
		return remote.IsFinalStatus(int(status))
	}
	return errors.As(err, &write) || errors.As(err, &other) || errors.Is(err, errRedirect) || errors.Is(err, errTooLarge) || errors.Is(err, errUseless)
}

// errUseless means that a file arrived completely, but cannot be used.
var errUseless = errors.New("the file cannot be used")

// fail counts a failure, and reports whether the server is asked no more from now on. One that was
// silent or slow has taken long enough.
func (s *server) fail(err error) bool {
	n := int32(1)
	if errors.Is(err, remote.ErrSilent) || errors.Is(err, remote.ErrSlow) {
		n = maxFailures
	}
	now := s.failures.Add(n)
	return now >= maxFailures && now-n < maxFailures
}

// fetch fetches a file from a server into the cache, in whichever form the server has it.
func (f *Finder) fetch(ctx context.Context, s *server, w *request) (string, error) {
	if err := f.cache.usable(); err != nil {
		return "", err
	}
	reason := error(ErrNotFound)
	for _, name := range []string{w.name, w.compressed()} {
		if s.failures.Load() >= maxFailures {
			return "", fmt.Errorf("the server failed before, and is asked no more")
		}
		path, err := f.transfer(ctx, s, w, name)
		if err == nil {
			return path, nil
		}
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		var status remote.StatusError
		switch {
		case !errors.As(err, &status) || !remote.IsFinalStatus(int(status)):
			return "", err
		case status != http.StatusNotFound && status != http.StatusGone:
			reason = err
		}
	}
	return "", reason
}

// transfer fetches a file by one name, with retries.
func (f *Finder) transfer(ctx context.Context, s *server, w *request, name string) (string, error) {
	var path string
	err := s.retry.Transfer(ctx, func(ctx context.Context) (err error) {
		path, err = f.download(ctx, s, w, name)
		return err
	})
	var tried *remote.TriedError
	var write *cacheError
	switch {
	case errors.As(err, &tried):
		if s.fail(err) {
			f.note(fmt.Sprintf("%s is asked no more: %v", s, err))
		}
	case errors.As(err, &write):
		f.cache.wrote(write)
	case err == nil:
		s.failures.Store(0)
		f.cache.wrote(nil)
	case ctx.Err() == nil:
		s.failures.Store(0)
	}
	return path, err
}

// download makes one request, and stores the result if it matches.
func (f *Finder) download(ctx context.Context, s *server, w *request, name string) (string, error) {
	address := s.base.JoinPath(url.PathEscape(w.name), w.id, url.PathEscape(name))
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), nil)
	if err != nil {
		return "", remote.WithoutURL(err)
	}
	request.Header.Set("User-Agent", userAgent)
	request.Header.Set("Accept-Encoding", "identity") // so that the length is that of the file
	response, err := s.client.Do(request)
	if err != nil {
		return "", remote.WithoutURL(err)
	}
	defer response.Body.Close()
	switch {
	case response.StatusCode != http.StatusOK:
		return "", remote.StatusError(response.StatusCode)
	case response.ContentLength > f.o.MaxBytes:
		return "", f.tooLarge()
	}
	p, err := f.cache.create(w)
	if err != nil {
		return "", err
	}
	defer p.remove()
	m := &meter{to: p, report: f.o.Progress, state: Progress{Name: name, Server: s.String(), Total: response.ContentLength}}
	defer m.end()
	if err := f.copy(ctx, m, response.Body); err != nil {
		return "", err
	}
	path, err := f.keep(ctx, p, name == w.name)
	m.state.Stored = err == nil
	return path, err
}

// keep stores a file that has arrived. Errors are final.
func (f *Finder) keep(ctx context.Context, p *partial, plain bool) (path string, err error) {
	const from = "its file"
	if plain {
		path, err = p.store(from)
	} else {
		path, err = f.decompress(ctx, p.path(), from, p.w)
	}
	var write *cacheError
	var other *MismatchError
	if err == nil || errors.As(err, &write) || errors.As(err, &other) || ctx.Err() != nil {
		return path, err
	}
	return "", fmt.Errorf("%w: %w", errUseless, err)
}

const meterStep = 1 << 20 // bytes between reports

// meter counts bytes on their way to the cache.
type meter struct {
	to       *partial
	report   func(Progress)
	state    Progress
	reported int64
}

func (m *meter) Write(b []byte) (int, error) {
	n, err := m.to.Write(b)
	m.state.Bytes += int64(n)
	if m.state.Bytes-m.reported >= meterStep {
		m.send()
	}
	return n, err
}

func (m *meter) send() {
	m.reported = m.state.Bytes
	if m.report != nil {
		m.report(m.state)
	}
}

func (m *meter) end() {
	m.state.Done = true
	m.send()
}
