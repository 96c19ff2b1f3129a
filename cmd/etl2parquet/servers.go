package main

import (
	"github.com/etl2parquet/etl2parquet/internal/base/remote"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/inputs/batch"
)

// serverFlags are the flags that locate buckets.
type serverFlags struct{ endpoint, region string }

func (f *serverFlags) flags() []option {
	return []option{
		{flag: "s3-endpoint", value: &f.endpoint, usage: "`URL` of the S3 server, if it is not Amazon's; default $AWS_ENDPOINT_URL"},
		{flag: "s3-region", value: &f.region, usage: "`region` of the buckets, if the server does not report it; default $AWS_REGION"},
	}
}

// servers are web servers and buckets, and the limits on open files of the run.
type servers struct {
	*inputs.Servers
	files batch.OpenFiles
}

// newServers returns servers with a cache of this number of bytes in temporary files.
// It fails if the limit on open files is too low for any work.
func newServers(f *serverFlags, temp string, bytes int64, p remote.Patience) (*servers, error) {
	files, err := batch.ShareOpenFiles()
	if err != nil {
		return nil, err
	}
	return &servers{files: files, Servers: inputs.NewServers(inputs.ServerOptions{
		Endpoint: f.endpoint, Region: f.region, TempDir: temp, CacheBytes: bytes, Patience: p,
		Connections: files.Connections, OutputFiles: files.Output,
	})}, nil
}
