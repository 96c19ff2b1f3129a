package s3

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync/atomic"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/etl2parquet/etl2parquet/internal/base/remote"
	"github.com/etl2parquet/etl2parquet/internal/base/temporary"
)

// Options locate the buckets. Empty options are taken from the environment variables of
// Amazon's tools.
type Options struct {
	Endpoint string // URL of the server; Amazon's if empty
	Region   string // asked from the server if empty
	TempDir  string // for files being uploaded; "" is the system's folder
	Patience remote.Patience

	Connections int // at a time; 0 is remote.DefaultConnections
}

// Client sends requests to one server.
type Client struct {
	core      *minio.Core
	creds     *credentials.Credentials
	refused   atomic.Pointer[requestError] // the server refuses the credentials
	retry     *remote.Retrier
	endpoint  string
	anyRegion bool
	temp      *temporary.Pool
	slots     chan struct{} // of parts being uploaded
}

// partsAtOnce bounds the parts of files that are uploaded at a time.
const partsAtOnce = 16

const amazon = "https://s3.amazonaws.com"

// NewClient returns a client. It sends nothing yet.
func NewClient(o Options) (*Client, error) {
	endpoint := first(o.Endpoint, os.Getenv("AWS_ENDPOINT_URL_S3"), os.Getenv("AWS_ENDPOINT_URL"), amazon)
	region := first(o.Region, os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION"))
	u, err := url.Parse(endpoint)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" {
		return nil, fmt.Errorf("endpoint %q: it must be the URL of a server, such as https://minio.example.com:9000", endpoint)
	}
	creds := chain()
	core, err := minio.NewCore(u.Host, &minio.Options{
		Creds:      creds,
		Secure:     u.Scheme == "https",
		Region:     region,
		Transport:  remote.NewTransport(o.Patience.Stall, cmp.Or(o.Connections, remote.DefaultConnections)),
		MaxRetries: 1, // the Retrier also retries requests that fail halfway
	})
	if err != nil {
		return nil, fmt.Errorf("endpoint %q: %w", endpoint, err)
	}
	core.SetAppInfo("etl2parquet", "1")
	c := &Client{core: core, creds: creds, endpoint: endpoint, anyRegion: region == "", temp: temporary.NewPool(o.TempDir), slots: make(chan struct{}, partsAtOnce)}
	c.retry = &remote.Retrier{Patience: o.Patience, Final: c.isFinal}
	return c, nil
}

func first(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}

// do sends a request, with retries, and returns its error in plain words.
func (c *Client) do(ctx context.Context, bucket string, request func(context.Context) error) error {
	return c.send(bucket, request, func(request func(context.Context) error) error { return c.retry.Do(ctx, request) })
}

// transfer is do for a request that sends or receives contents, which must not be too slow.
func (c *Client) transfer(ctx context.Context, bucket string, request func(context.Context) error) error {
	return c.send(bucket, request, func(request func(context.Context) error) error { return c.retry.Transfer(ctx, request) })
}

// send sends a request. Once the server has refused the credentials, nothing more is sent.
func (c *Client) send(bucket string, request func(context.Context) error, retry func(func(context.Context) error) error) error {
	if refused := c.refused.Load(); refused != nil {
		return refused
	}
	return c.word(bucket, retry(func(ctx context.Context) error { return c.try(ctx, request) }))
}

// passing are the codes of transient errors, whatever their status.
var passing = map[string]bool{
	"RequestTimeout": true, "Throttling": true, "ThrottlingException": true, "RequestLimitExceeded": true, "RequestThrottled": true,
	"InternalError": true, "SlowDown": true, "SlowDownRead": true, "SlowDownWrite": true, "OperationAborted": true,
	"IncompleteBody": true, "BadDigest": true, "XAmzContentSHA256Mismatch": true, // the upload was damaged in transit
}

func (c *Client) isFinal(err error) bool {
	var answer minio.ErrorResponse
	switch {
	case errors.As(err, new(*renewedError)):
		return false
	case !errors.As(err, &answer):
		return errors.Is(err, remote.ErrChanged) || errors.Is(err, remote.ErrAnswer) || errors.Is(err, os.ErrClosed)
	}
	if c.anyRegion && answer.Region != "" && (answer.Code == "AuthorizationHeaderMalformed" || answer.Code == "InvalidRegion") {
		return false // a retry works: the client has learned the region from the error
	}
	return !passing[answer.Code] && remote.IsFinalStatus(answer.StatusCode)
}

// requestError is an error of a request, in one line.
type requestError struct {
	text    string
	err     error
	refused bool // the credentials
}

// Is reports whether the error is [remote.ErrRefused].
func (e *requestError) Is(target error) bool { return e.refused && target == remote.ErrRefused }

func (e *requestError) Error() string { return e.text }

func (e *requestError) Unwrap() error { return e.err }

// word returns a message that says what is wrong and what to do.
func (c *Client) word(bucket string, err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	text := c.text(bucket, err)
	var tried *remote.TriedError
	if errors.As(err, &tried) {
		text = tried.Text(text)
	}
	e := &requestError{strings.Join(strings.Fields(text), " "), err, isRefusal(err)}
	if e.refused {
		c.refused.CompareAndSwap(nil, e)
	}
	return e
}

func (c *Client) text(bucket string, err error) string {
	var answer minio.ErrorResponse
	if errors.As(err, &answer) {
		return c.answerText(bucket, &answer)
	}
	var at *url.Error
	if errors.As(err, &at) {
		if strings.HasPrefix(at.Err.Error(), "Connection closed by foreign host") {
			return c.endpoint + ": the connection was closed"
		}
		return c.endpoint + ": " + at.Err.Error()
	}
	var tried *remote.TriedError
	if errors.As(err, &tried) {
		return c.endpoint + ": " + tried.Err.Error()
	}
	return err.Error()
}

// answerText returns the message for a server's error response.
func (c *Client) answerText(bucket string, answer *minio.ErrorResponse) string {
	switch answer.Code {
	case "NoSuchBucket":
		return fmt.Sprintf("there is no bucket %s at %s", bucket, c.endpoint)
	case "AccessDenied", "AllAccessDisabled", "AccountProblem":
		return fmt.Sprintf("access to bucket %s is denied%s", bucket, c.anonymous())
	}
	if refusals[answer.Code] || answer.StatusCode == http.StatusUnauthorized {
		return fmt.Sprintf("%s refuses the credentials: %s", c.endpoint, lowerFirst(strings.TrimSuffix(answer.Error(), ".")))
	}
	switch answer.Code {
	case "PermanentRedirect", "TemporaryRedirect", "AuthorizationHeaderMalformed", "InvalidRegion", "IllegalLocationConstraintException":
		if answer.Region != "" {
			return fmt.Sprintf("bucket %s is in the region %s", bucket, answer.Region)
		}
		return fmt.Sprintf("bucket %s is in another region: %s", bucket, answer.Error())
	}
	text := strings.TrimSuffix(answer.Error(), ".")
	if answer.StatusCode >= 500 {
		return fmt.Sprintf("%s says %d: %s", c.endpoint, answer.StatusCode, lowerFirst(text))
	}
	return lowerFirst(text)
}

// anonymous returns a note if there are no credentials, or "".
func (c *Client) anonymous() string {
	if value, err := c.core.GetCreds(); err == nil && value.AccessKeyID == "" {
		return "; there are no credentials, such as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
	}
	return ""
}

// code returns the code of a server's error response, or "".
func code(err error) string {
	var answer minio.ErrorResponse
	if errors.As(err, &answer) {
		return answer.Code
	}
	return ""
}

func isAbsent(err error) bool {
	switch code(err) {
	case "NoSuchKey", "NotFound", "NoSuchVersion", "MethodNotAllowed", "XMinioParentIsObject": // not allowed: the object is a delete marker
		return true
	}
	return false
}
