package s3

import (
	"errors"
	"fmt"
	"strings"

	"github.com/minio/minio-go/v7/pkg/s3utils"
)

// Scheme is the start of the URLs of objects.
const Scheme = "s3://"

// ParseURL splits s3://bucket/key. The key may be empty, or end in a slash as the key of a folder.
func ParseURL(url string) (bucket, key string, err error) {
	rest, ok := strings.CutPrefix(url, Scheme)
	if !ok {
		return "", "", fmt.Errorf("it does not begin with %s", Scheme)
	}
	bucket, key, _ = strings.Cut(rest, "/")
	if err := s3utils.CheckValidBucketName(bucket); err != nil {
		return "", "", fmt.Errorf("bucket %q: %v", bucket, lowerFirst(err.Error()))
	}
	return bucket, key, nil
}

// parseFolder splits the URL of a dataset. The prefix of its objects is empty or ends in a slash.
func parseFolder(url string) (bucket, prefix string, err error) {
	bucket, prefix, err = ParseURL(url)
	if err != nil {
		return "", "", err
	}
	prefix = strings.Trim(prefix, "/")
	if prefix == "" {
		return bucket, "", nil
	}
	for element := range strings.SplitSeq(prefix, "/") {
		if element == "" || element == "." || element == ".." {
			return "", "", errors.New("a folder in it has an empty name, or . or .. as its name")
		}
	}
	if err := s3utils.CheckValidObjectName(prefix); err != nil {
		return "", "", err
	}
	return bucket, prefix + "/", nil
}

func lowerFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}
