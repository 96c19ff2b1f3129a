package storetest

import (
	_ "embed"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// The library for S3 waits after each request that fails, although it does not repeat it: the Retrier
// does. Tests of outages waited for nothing else.
func init() { minio.DefaultRetryUnit = time.Millisecond }

// minioVersion is the version that .ci/minio builds. Tests start MinIO as a program
// and link none of it.
//
//go:embed minio.version
var minioVersion string

// Bucket is the name of the server's bucket.
const Bucket = "traces"

// MinIO starts a MinIO server with an empty bucket and sets the environment for its
// clients. It returns the address (host:port) and the server's folder of incomplete
// uploads. If this machine has no MinIO, the test is skipped; on CI, it fails.
func MinIO(t *testing.T) (address, uploads string) {
	t.Helper()
	program := minioPath(t)
	address = freeAddress(t)
	data := t.TempDir()
	if err := os.Mkdir(filepath.Join(data, Bucket), 0o777); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "server", "--quiet", "--address", address, data)
	cmd.Env = append(os.Environ(), "MINIO_ROOT_USER=tester", "MINIO_ROOT_PASSWORD=testing-only", "MINIO_BROWSER=off", "MINIO_UPDATE=off", "HOME="+t.TempDir(), "_MINIO_STARTUP_SKIP_LATENCY=1")
	var said strings.Builder
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		cmd.Wait() // always an error, because the process was killed
		close(ended)
	}()
	t.Cleanup(func() {
		if err := cmd.Process.Kill(); err != nil {
			t.Error(err)
		}
		<-ended
		if t.Failed() {
			t.Logf("MinIO said: %s", said.String())
		}
	})
	await(t, "http://"+address+"/"+Bucket, ended)
	for name, value := range map[string]string{
		"AWS_ACCESS_KEY_ID": "tester", "AWS_SECRET_ACCESS_KEY": "testing-only", "AWS_REGION": "us-east-1", "AWS_ENDPOINT_URL": "http://" + address,
		"AWS_ENDPOINT_URL_S3": "", "AWS_SESSION_TOKEN": "", "AWS_PROFILE": "", "AWS_EC2_METADATA_DISABLED": "true", "NO_PROXY": "127.0.0.1",
	} {
		t.Setenv(name, value)
	}
	return address, filepath.Join(data, ".minio.sys", "multipart")
}

// minioPath returns the path of the program, or skips the test.
func minioPath(t *testing.T) string {
	t.Helper()
	testenv.All(t, "MinIO, a real S3 server")
	name := "minio"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	path := os.Getenv("ETL2PARQUET_MINIO")
	if path == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			t.Fatal(err)
		}
		path = filepath.Join(cache, "etl2parquet", "minio-"+strings.TrimSpace(minioVersion), name)
	}
	if _, err := os.Stat(path); err != nil {
		testenv.Missing(t, "MinIO, a real S3 server", "run .ci/minio, which builds one", err)
	}
	return path
}

// freeAddress returns an unused address.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// await waits until a server answers a request without credentials, which it refuses, and fails the
// test if it ends before. Its page /minio/health/ready says too early that it is ready: it answers
// "server not initialized yet" for a while after that.
func await(t *testing.T, url string, ended <-chan struct{}) {
	t.Helper()
	for {
		select {
		case <-ended:
			t.Fatal("MinIO has ended")
		case <-time.After(20 * time.Millisecond):
		}
		response, err := http.Get(url)
		if err != nil {
			continue
		}
		io.Copy(io.Discard, response.Body) // the page says no more than the status
		response.Body.Close()
		if response.StatusCode == http.StatusForbidden {
			return
		}
	}
}

// Uploads returns the number of a server's incomplete uploads: each has a folder, two
// levels deep.
func Uploads(t *testing.T, folder string) int {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(folder, "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return len(found)
}
