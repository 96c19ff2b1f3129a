package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// HTTP reads files from web servers.
type HTTP struct {
	client *http.Client
	retry  *Retrier
}

// NewHTTP returns a client with at most connections connections to a server.
func NewHTTP(p Patience, connections int) *HTTP {
	return &HTTP{
		client: &http.Client{Transport: NewTransport(p.Stall, connections)},
		retry:  &Retrier{Patience: p, Final: isFinal},
	}
}

// StatusError is the status of an unsuccessful response.
type StatusError int

func (s StatusError) Error() string {
	return strings.TrimSpace(fmt.Sprintf("the server answered %d %s", int(s), http.StatusText(int(s))))
}

// errAnswer means that a response does not match the requested range.
var errAnswer = errors.New("the server answered with other bytes than requested")

func isFinal(err error) bool {
	var status StatusError
	if !errors.As(err, &status) {
		return errors.Is(err, ErrChanged) || errors.Is(err, errAnswer)
	}
	return IsFinalStatus(int(status))
}

// IsFinalStatus reports whether a server that responds with this status would do so again.
func IsFinalStatus(status int) bool {
	switch status {
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return false
	}
	return status < 500 || status == http.StatusNotImplemented || status == http.StatusHTTPVersionNotSupported
}

// Resource is a file on a web server, in the version that Find found.
type Resource struct {
	Size    int64     // -1 if unknown
	ModTime time.Time // zero if unknown
	Ranges  bool      // it can be read with random access

	from     *HTTP
	url      string
	etag     string
	modified string
}

// Find finds the file at an address.
func (h *HTTP) Find(ctx context.Context, address string) (*Resource, error) {
	var found *Resource
	err := h.retry.Do(ctx, func(ctx context.Context) error {
		// GET instead of HEAD: a signed address may allow only GET.
		response, err := h.get(ctx, address, http.Header{"Range": {"bytes=0-0"}})
		if err != nil {
			return err
		}
		defer response.Body.Close()
		found, err = h.resource(address, response)
		return err
	})
	return found, err
}

func (h *HTTP) resource(address string, response *http.Response) (*Resource, error) {
	r := &Resource{Size: response.ContentLength, from: h, url: address,
		etag: response.Header.Get("ETag"), modified: response.Header.Get("Last-Modified")}
	r.ModTime, _ = http.ParseTime(r.modified) // zero, which means unknown, if it is invalid
	switch response.StatusCode {
	case http.StatusOK:
	case http.StatusPartialContent:
		_, _, size, ok := contentRange(response)
		r.Size, r.Ranges = size, ok
	case http.StatusRequestedRangeNotSatisfiable: // the file is empty
		if _, _, size, _ := contentRange(response); size != 0 {
			return nil, StatusError(response.StatusCode)
		}
		r.Size, r.Ranges = 0, true
	default:
		return nil, StatusError(response.StatusCode)
	}
	return r, nil
}

// contentRange parses a Content-Range: "bytes 0-9/100", or "bytes */100" for no bytes. The
// size is -1 if it is missing.
func contentRange(response *http.Response) (from, to, size int64, ok bool) {
	bytes, all, found := strings.Cut(strings.TrimPrefix(response.Header.Get("Content-Range"), "bytes "), "/")
	if !found {
		return 0, 0, -1, false
	}
	size, err := strconv.ParseInt(all, 10, 64)
	if err != nil || size < 0 {
		return 0, 0, -1, false
	}
	first, last, found := strings.Cut(bytes, "-")
	from, err1 := strconv.ParseInt(first, 10, 64)
	to, err2 := strconv.ParseInt(last, 10, 64)
	return from, to, size, found && err1 == nil && err2 == nil
}

// get makes one request.
func (h *HTTP) get(ctx context.Context, address string, header http.Header) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, WithoutURL(err)
	}
	request.Header = header
	request.Header.Set("Accept-Encoding", "identity")
	request.Header.Set("User-Agent", "etl2parquet")
	response, err := h.client.Do(request)
	return response, WithoutURL(err)
}

// WithoutURL removes the address from an error of an HTTP client: it can contain secrets.
func WithoutURL(err error) error {
	var at *url.Error
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// Open returns the file with random access.
func (r *Resource) Open(ctx context.Context, c *Cache) *File {
	return c.Open(ctx, r.Size, func(ctx context.Context, p []byte, offset int64) error {
		return r.from.retry.Do(ctx, func(ctx context.Context) error { return r.fetch(ctx, p, offset) })
	})
}

// fetch fills p.
func (r *Resource) fetch(ctx context.Context, p []byte, offset int64) error {
	last := offset + int64(len(p)) - 1
	header := http.Header{"Range": {fmt.Sprintf("bytes=%d-%d", offset, last)}}
	switch {
	case r.etag != "" && !strings.HasPrefix(r.etag, "W/"):
		header.Set("If-Match", r.etag)
	case r.modified != "":
		header.Set("If-Unmodified-Since", r.modified)
	}
	response, err := r.from.get(ctx, r.url, header)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if err := r.check(response, offset, last); err != nil {
		return err
	}
	_, err = io.ReadFull(response.Body, p)
	return err
}

// check checks that a response has the requested bytes, of the version that was found.
func (r *Resource) check(response *http.Response, first, last int64) error {
	switch response.StatusCode {
	case http.StatusPartialContent, http.StatusOK:
	case http.StatusPreconditionFailed, http.StatusRequestedRangeNotSatisfiable:
		return ErrChanged
	default:
		return StatusError(response.StatusCode)
	}
	if r.etag != response.Header.Get("ETag") || r.etag == "" && r.modified != response.Header.Get("Last-Modified") {
		return ErrChanged
	}
	from, to, size, ok := contentRange(response)
	switch {
	case response.StatusCode == http.StatusOK || !ok || from != first || to != last:
		return errAnswer
	case size != r.Size:
		return ErrChanged
	}
	return nil
}

// Stream reads the file from its beginning to its end.
func (r *Resource) Stream(ctx context.Context) (io.ReadCloser, error) {
	var body io.ReadCloser
	err := r.from.retry.Do(ctx, func(ctx context.Context) error {
		response, err := r.from.get(ctx, r.url, http.Header{})
		if err != nil {
			return err
		}
		if response.StatusCode != http.StatusOK {
			return errors.Join(StatusError(response.StatusCode), response.Body.Close())
		}
		body = response.Body
		return nil
	})
	return body, err
}
