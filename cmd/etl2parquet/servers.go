package main

import (
	"time"

	"github.com/etl2parquet/etl2parquet/internal/base/remote"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/inputs/batch"
)

// serverFlags are the flags that locate buckets, and limit how long a server is waited for.
type serverFlags struct {
	endpoint, region string
	timeout          time.Duration
}

// usualTimeout means that --timeout was not given.
const usualTimeout = 0

func (f *serverFlags) flags() []option {
	f.timeout = usualTimeout
	return []option{
		{flag: "timeout", value: &f.timeout, within: atLeast(int64(time.Second)), shown: remote.DefaultPatience.Stall.String(), usage: "`time` in which a server that sends nothing, or less than 1KiB/s, fails"},
		{flag: "s3-endpoint", value: &f.endpoint, usage: "`URL` of the S3 server, if it is not Amazon's; default $AWS_ENDPOINT_URL"},
		{flag: "s3-region", value: &f.region, usage: "`region` of the buckets, if the server does not report it; default $AWS_REGION"},
	}
}

// patienceOf returns the limits on waiting for servers. aside prints beside a progress bar.
func (a *app) patienceOf(f *serverFlags, show func(text string) bool, aside func(print func())) remote.Patience {
	p := a.patience
	if f.timeout != usualTimeout {
		p.Stall = f.timeout
	}
	w := &waits{show: show, line: func(text string) { aside(func() { a.warn("%s", text) }) }}
	p.OnWait = w.add
	return p
}

// newServers returns servers with a cache of this number of bytes in temporary files.
// It fails if the limit on open files is too low for any work.
func newServers(f *serverFlags, temp string, bytes int64, p remote.Patience) (*inputs.Servers, batch.OpenFiles, error) {
	files, err := batch.ShareOpenFiles()
	return inputs.NewServers(inputs.ServerOptions{
		Endpoint: f.endpoint, Region: f.region, TempDir: temp, CacheBytes: bytes, Patience: p,
		Connections: files.Connections, OutputFiles: files.Output,
	}), files, err
}
