package s3

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/etl2parquet/etl2parquet/internal/base/remote"
	"github.com/etl2parquet/etl2parquet/internal/base/spool"
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
	retry     *remote.Retrier
	endpoint  string
	anyRegion bool
	temp      *spool.Pool
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
	core, err := minio.NewCore(u.Host, &minio.Options{
		Creds:      chain(),
		Secure:     u.Scheme == "https",
		Region:     region,
		Transport:  remote.NewTransport(o.Patience.Stall, cmp.Or(o.Connections, remote.DefaultConnections)),
		MaxRetries: 1, // the Retrier also retries requests that fail halfway
	})
	if err != nil {
		return nil, fmt.Errorf("endpoint %q: %w", endpoint, err)
	}
	core.SetAppInfo("etl2parquet", "1")
	c := &Client{core: core, endpoint: endpoint, anyRegion: region == "", temp: spool.NewPool(o.TempDir), slots: make(chan struct{}, partsAtOnce)}
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

// chain finds credentials where Amazon's tools store them. Without credentials, requests are
// anonymous, which suffices for public buckets.
func chain() *credentials.Credentials {
	providers := []credentials.Provider{&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}}
	container := first(os.Getenv("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"), os.Getenv("AWS_CONTAINER_CREDENTIALS_FULL_URI"), os.Getenv("AWS_WEB_IDENTITY_TOKEN_FILE"))
	if container != "" || !strings.EqualFold(os.Getenv("AWS_EC2_METADATA_DISABLED"), "true") {
		// Outside a cloud, nothing answers at the address of the metadata service.
		quick := &http.Transport{Proxy: http.ProxyFromEnvironment, DialContext: (&net.Dialer{Timeout: time.Second}).DialContext}
		providers = append(providers, &credentials.IAM{Client: &http.Client{Transport: quick, Timeout: 5 * time.Second}})
	}
	return credentials.NewChainCredentials(providers)
}

// do sends a request, with retries, and returns its error in plain words.
func (c *Client) do(ctx context.Context, bucket string, request func(context.Context) error) error {
	return c.word(bucket, c.retry.Do(ctx, request))
}

// passing are the codes of transient errors, whatever their status.
var passing = map[string]bool{
	"RequestTimeout": true, "Throttling": true, "ThrottlingException": true, "RequestLimitExceeded": true, "RequestThrottled": true,
	"InternalError": true, "SlowDown": true, "SlowDownRead": true, "SlowDownWrite": true, "OperationAborted": true,
	"ExpiredToken": true, "ExpiredTokenException": true, // the next request gets new credentials
	"IncompleteBody": true, "BadDigest": true, "XAmzContentSHA256Mismatch": true, // the upload was damaged in transit
}

func (c *Client) isFinal(err error) bool {
	var answer minio.ErrorResponse
	if !errors.As(err, &answer) {
		return errors.Is(err, remote.ErrChanged) || errors.Is(err, os.ErrClosed)
	}
	if c.anyRegion && answer.Region != "" && (answer.Code == "AuthorizationHeaderMalformed" || answer.Code == "InvalidRegion") {
		return false // a retry works: the client has learned the region from the error
	}
	return !passing[answer.Code] && remote.IsFinalStatus(answer.StatusCode)
}

// requestError is an error of a request, in one line.
type requestError struct {
	text string
	err  error
}

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
		text = fmt.Sprintf("%s (tried %d times)", text, tried.Tries)
	}
	return &requestError{strings.Join(strings.Fields(text), " "), err}
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
		return tried.Err.Error()
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
	case "InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken", "ExpiredToken", "ExpiredTokenException":
		return fmt.Sprintf("%s refuses the credentials: %s", c.endpoint, lowerFirst(strings.TrimSuffix(answer.Error(), ".")))
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
