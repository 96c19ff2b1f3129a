package bundle

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// The environment of the process that TestFullDisk starts.
const (
	fullDiskRoot  = "ETL2PARQUET_TEST_FULL_DISK_ROOT"
	fullDiskInput = "ETL2PARQUET_TEST_FULL_DISK_INPUT"
	fullDiskBytes = "ETL2PARQUET_TEST_FULL_DISK_BYTES"
)

// TestFullDisk lets writes fail, as on a full disk, after a number of bytes of a file.
// It uses another process, because the limit applies to all files of a process.
func TestFullDisk(t *testing.T) {
	if root := os.Getenv(fullDiskRoot); root != "" {
		convertWithLimit(t, root)
		return
	}
	path := indextest.Write(t, "a.etl", indextest.RandomTrace(t, testenv.Seeded("full disk"), indextest.Shapes["in order"]))
	for _, root := range []string{filepath.Join(t.TempDir(), "out"), newDataset(t, path)} {
		for _, bytes := range []int{0, 3, 4, 1000, 5000, 20000} {
			unchangedBy(t, root, func(*Dataset) error {
				cmd := exec.Command(os.Args[0], "-test.run=^TestFullDisk$")
				cmd.Env = append(os.Environ(), fullDiskRoot+"="+root, fullDiskInput+"="+path, fmt.Sprintf("%s=%d", fullDiskBytes, bytes))
				out, err := cmd.CombinedOutput()
				if err == nil {
					t.Errorf("%d bytes: the conversion did not fail: %s", bytes, out)
				}
				if !strings.Contains(string(out), syscall.EFBIG.Error()) {
					t.Errorf("%d bytes: %s", bytes, out)
				}
				return err
			}, nil)
		}
	}
}

// convertWithLimit fails the test with the error of a conversion whose files are limited
// in size.
func convertWithLimit(t *testing.T, root string) {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Sscan(os.Getenv(fullDiskBytes), &limit.Cur); err != nil {
		t.Fatal(err)
	}
	d := openDataset(t, root)
	signal.Ignore(syscall.SIGXFSZ)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	o := testOptions
	o.Force = true
	if _, err := convertFile(context.Background(), d, os.Getenv(fullDiskInput), "t", o); !errors.Is(err, syscall.EFBIG) {
		fmt.Println("want the error of a full disk, not", err)
		os.Exit(1)
	}
	fmt.Println(syscall.EFBIG)
	os.Exit(1)
}
