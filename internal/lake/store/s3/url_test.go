package s3_test

import (
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/base/remote"
	"github.com/etl2parquet/etl2parquet/internal/lake/store/s3"
)

func TestParseURL(t *testing.T) {
	for url, want := range map[string][2]string{
		"s3://bucket":             {"bucket", ""},
		"s3://bucket/":            {"bucket", ""},
		"s3://bucket/a/b.etl":     {"bucket", "a/b.etl"},
		"s3://bucket/a/":          {"bucket", "a/"},
		"s3://bucket//odd?k=1#%2": {"bucket", "/odd?k=1#%2"},
		"s3://b/x":                {},
		"s3:///x":                 {},
		"s3://Bu_cket!/x":         {},
		"http://bucket/x":         {},
	} {
		bucket, key, err := s3.ParseURL(url)
		if bucket != want[0] || key != want[1] || (err != nil) != (want[0] == "") {
			t.Errorf("%s: %q %q %v, want %q", url, bucket, key, err, want)
		}
	}
}

// TestStoreURL checks the URLs of datasets, and the keys of names in them.
func TestStoreURL(t *testing.T) {
	client, err := s3.NewClient(s3.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for url, want := range map[string]string{
		"s3://bucket":        "s3://bucket/a/b",
		"s3://bucket/set/":   "s3://bucket/set/a/b",
		"s3://bucket/x/set":  "s3://bucket/x/set/a/b",
		"s3://bucket/../set": "",
		"s3://bucket/x//set": "",
		"s3://-":             "",
	} {
		s, err := client.Store(url, remote.NewCache("", 0, 1))
		if (err != nil) != (want == "") || err == nil && s.URL("a/b") != want {
			t.Errorf("%s: %v, want %q", url, err, want)
		}
	}
}

func TestEndpoint(t *testing.T) {
	for endpoint, ok := range map[string]bool{
		"": true, "http://127.0.0.1:9000": true, "https://minio.example.com/": true,
		"minio.example.com": false, "127.0.0.1:9000": false, "ftp://x": false, "http://x/bucket": false, "http://": false,
	} {
		_, err := s3.NewClient(s3.Options{Endpoint: endpoint})
		if (err == nil) != ok {
			t.Errorf("%q: %v", endpoint, err)
		}
		if err != nil && !strings.Contains(err.Error(), "endpoint") {
			t.Errorf("%q: %v", endpoint, err)
		}
	}
}
