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
		client: &http.Client{Transport: NewTransport(p.Stall, connections), CheckRedirect: checkRedirect},
		retry:  &Retrier{Patience: p, Final: isFinal},
	}
}

// maxRedirects bounds the redirections of a request.
const maxRedirects = 10

var errRedirects = fmt.Errorf("the server redirects more than %d times", maxRedirects)

func checkRedirect(_ *http.Request, via []*http.Request) error {
	if len(via) > maxRedirects {
		return errRedirects
	}
	return nil
}

// StatusError is the status of an unsuccessful response.
type StatusError int

func (s StatusError) Error() string {
	return strings.TrimSpace(fmt.Sprintf("the server answered %d %s", int(s), http.StatusText(int(s))))
}

// ErrAnswer means that a response does not match the requested range. Its bytes are not used.
var ErrAnswer = errors.New("the server answered with other bytes than requested")

func isFinal(err error) bool {
	var status StatusError
	if !errors.As(err, &status) {
		return errors.Is(err, ErrChanged) || errors.Is(err, ErrAnswer) || errors.Is(err, errRedirects)
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

	from *HTTP
	url  string
	version
}

// version identifies the contents of a file on a server.
type version struct{ etag, modified, encoding string }

func versionOf(response *http.Response) version {
	h := response.Header
	return version{h.Get("ETag"), h.Get("Last-Modified"), h.Get("Content-Encoding")}
}

// Version returns the server's name for the contents, its ETag, or "" if it has none that means equal
// bytes.
func (r *Resource) Version() string {
	if strings.HasPrefix(r.etag, "W/") {
		return ""
	}
	return r.etag
}

// isSame reports whether the two are one version. With an ETag, the time does not matter.
func (v version) isSame(o version) bool {
	return v.etag == o.etag && v.encoding == o.encoding && (v.etag != "" || v.modified == o.modified)
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
	r := &Resource{Size: response.ContentLength, from: h, url: address, version: versionOf(response)}
	r.ModTime, _ = http.ParseTime(r.modified) // zero, which means unknown, if it is invalid
	part, ok := contentRange(response.Header)
	switch response.StatusCode {
	case http.StatusOK:
	case http.StatusPartialContent:
		if !ok || part.from != 0 || part.to != 0 {
			return nil, ErrAnswer
		}
		r.Size, r.Ranges = part.size, part.size >= 0
	case http.StatusRequestedRangeNotSatisfiable: // the file is empty
		if part.size != 0 {
			return nil, StatusError(response.StatusCode)
		}
		r.Size, r.Ranges = 0, true
	default:
		return nil, StatusError(response.StatusCode)
	}
	return r, nil
}

// byteRange is the range of an answer, with its end. The size of the file is -1 if unknown.
type byteRange struct{ from, to, size int64 }

// contentRange parses a Content-Range: "bytes 0-9/100" or "bytes 0-9/*". It is not ok without a
// range, as in "bytes */100".
func contentRange(h http.Header) (r byteRange, ok bool) {
	r.size = -1
	if kind := h.Get("Content-Type"); strings.HasPrefix(strings.ToLower(kind), "multipart/byteranges") {
		return r, false
	}
	text, ok := strings.CutPrefix(h.Get("Content-Range"), "bytes ")
	bytes, all, found := strings.Cut(text, "/")
	if !ok || !found {
		return r, false
	}
	if all != "*" {
		size, err := strconv.ParseUint(all, 10, 63)
		if err != nil {
			return r, false
		}
		r.size = int64(size)
	}
	first, last, found := strings.Cut(bytes, "-")
	from, err1 := strconv.ParseUint(first, 10, 63)
	to, err2 := strconv.ParseUint(last, 10, 63)
	r.from, r.to = int64(from), int64(to)
	return r, found && err1 == nil && err2 == nil
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
		return r.from.retry.Transfer(ctx, func(ctx context.Context) error { return r.fetch(ctx, p, offset) })
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
	return ReadRange(response.Body, p)
}

// ReadRange fills p with the body of a response, which must have no more bytes.
func ReadRange(body io.Reader, p []byte) error {
	if _, err := io.ReadFull(body, p); err != nil {
		return err
	}
	var more [1]byte
	switch n, err := io.ReadFull(body, more[:]); {
	case n > 0:
		return ErrAnswer
	case err != io.EOF:
		return err
	}
	return nil
}

// check checks that a response has the requested bytes, of the version that was found.
func (r *Resource) check(response *http.Response, first, last int64) error {
	switch response.StatusCode {
	case http.StatusPartialContent:
	case http.StatusOK: // the server does not know ranges any more, or has another file
		if r.isSame(versionOf(response)) {
			return ErrAnswer
		}
		return ErrChanged
	case http.StatusPreconditionFailed, http.StatusRequestedRangeNotSatisfiable:
		return ErrChanged
	default:
		return StatusError(response.StatusCode)
	}
	if !r.isSame(versionOf(response)) {
		return ErrChanged
	}
	return CheckRange(response.Header, first, last, r.Size)
}

// CheckRange checks that a partial response has the bytes from first to last of a file of this size.
func CheckRange(h http.Header, first, last, size int64) error {
	part, ok := contentRange(h)
	switch length := h.Get("Content-Length"); {
	case !ok || part.from != first || part.to != last:
		return ErrAnswer
	case part.size >= 0 && part.size != size:
		return ErrChanged
	case length != "" && length != strconv.FormatInt(last-first+1, 10):
		return ErrAnswer
	}
	return nil
}

// Stream reads the file from its beginning to its end. The version must be the one that was found.
func (r *Resource) Stream(ctx context.Context) (io.ReadCloser, error) {
	return r.from.retry.Stream(ctx, func(ctx context.Context) (io.ReadCloser, error) {
		response, err := r.from.get(ctx, r.url, http.Header{})
		if err != nil {
			return nil, err
		}
		switch {
		case response.StatusCode == http.StatusPartialContent: // the request asked for all
			err = ErrAnswer
		case response.StatusCode != http.StatusOK:
			err = StatusError(response.StatusCode)
		case !r.isSame(versionOf(response)), r.Size >= 0 && response.ContentLength >= 0 && response.ContentLength != r.Size:
			err = ErrChanged
		default:
			return response.Body, nil
		}
		return nil, errors.Join(err, response.Body.Close())
	})
}
