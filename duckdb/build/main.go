// Command build builds the DuckDB extension for this system:
//
//	cd duckdb && go run ./build [-o etl2parquet.duckdb_extension]
//
// -folder writes etl2parquet.PLATFORM.duckdb_extension there instead: releases have one of each
// platform. DuckDB takes the part of the name before the first dot as the name of the extension.
// It needs a C compiler. The same sources, Go and C compiler give the same bytes.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

func main() {
	out := flag.String("o", "etl2parquet.duckdb_extension", "`file` to write; keep its name, which DuckDB uses as the name of the extension")
	folder := flag.String("folder", "", "write into this `folder`, with the platform in the name")
	version := flag.String("version", "dev", "`version` of the extension, at most 32 bytes")
	flag.Parse()
	if *folder != "" {
		*out = filepath.Join(*folder, "etl2parquet."+hostPlatform()+".duckdb_extension")
	}
	if err := build(*out, *version); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

// platforms are DuckDB's names of systems. Go cannot build shared libraries for musl.
var platforms = map[string]string{
	"linux/amd64": "linux_amd64", "linux/arm64": "linux_arm64",
	"darwin/amd64": "osx_amd64", "darwin/arm64": "osx_arm64", "windows/amd64": "windows_amd64",
}

// hostPlatform returns DuckDB's name of this system, or "" if it has none.
func hostPlatform() string { return platforms[runtime.GOOS+"/"+runtime.GOARCH] }

func build(out, version string) (err error) {
	platform := hostPlatform()
	if platform == "" {
		return fmt.Errorf("DuckDB has no platform for %s/%s", runtime.GOOS, runtime.GOARCH)
	}
	footer, err := metadata(platform, version)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "etl2parquet-duckdb-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	library := filepath.Join(folder, "etl2parquet.so")
	cmd := exec.Command("go", "build", "-buildmode=c-shared", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid=", "-o", library, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=1")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", cmd, err)
	}
	return write(out, library, footer)
}

// write writes the library, followed by the footer. It replaces an existing file instead of
// changing it, because a process may have loaded that.
func write(out, library string, footer []byte) error {
	from, err := os.Open(library)
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := os.CreateTemp(filepath.Dir(out), filepath.Base(out)+".*")
	if err != nil {
		return err
	}
	_, err = io.Copy(to, from)
	if err == nil {
		_, err = to.Write(footer)
	}
	if err = errors.Join(err, to.Chmod(0o755), to.Close()); err == nil {
		err = os.Rename(to.Name(), out)
	}
	if err != nil {
		os.Remove(to.Name())
	}
	return err
}
