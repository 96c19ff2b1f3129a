package s3

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// refusals are the codes by which a server refuses the credentials, whatever the request.
var refusals = map[string]bool{
	"InvalidAccessKeyId": true, "SignatureDoesNotMatch": true, "InvalidToken": true, "TokenRefreshRequired": true, "RequestTimeTooSkewed": true,
	"ExpiredToken": true, "ExpiredTokenException": true,
}

// isRefusal reports whether the server refuses the credentials.
func isRefusal(err error) bool {
	var answer minio.ErrorResponse
	return errors.As(err, &answer) && (refusals[answer.Code] || answer.StatusCode == http.StatusUnauthorized)
}

// renewedError is the error of a request whose credentials have expired, when there are new ones.
type renewedError struct{ error }

func (e *renewedError) Unwrap() error { return e.error }

// try sends a request once. If its credentials have expired, it looks for new ones.
func (c *Client) try(ctx context.Context, request func(context.Context) error) error {
	used, wrong := c.creds.GetWithContext(c.core.CredContext())
	err := request(ctx)
	switch code(err) {
	case "ExpiredToken", "ExpiredTokenException", "TokenRefreshRequired":
		if wrong == nil && c.renew(used) {
			return &renewedError{err}
		}
	}
	return err
}

// renew reports whether there are other credentials than those that were used: another request has
// found them, or their source has them now.
func (c *Client) renew(used credentials.Value) bool {
	now, err := c.creds.GetWithContext(c.core.CredContext())
	if err == nil && now == used {
		c.creds.Expire()
		now, err = c.creds.GetWithContext(c.core.CredContext())
	}
	return err == nil && now != used
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
