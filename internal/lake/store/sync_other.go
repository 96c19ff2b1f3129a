//go:build !windows

package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// syncFolder syncs the names in a folder to the disk, if its file system supports that.
func syncFolder(folder string) error {
	f, err := os.Open(folder)
	if errors.Is(err, fs.ErrNotExist) { // another process has removed it since, with its files
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close() // nothing was written, so an error does not matter
	if err := f.Sync(); err != nil && !isRefused(err) {
		return fmt.Errorf("sync folder %s: %w", folder, pathless(err))
	}
	return nil
}

// isRefused reports whether a file system does not support syncing folders, as some network
// and FUSE file systems. Linux then returns EINVAL, as for CIFS before Linux 4.17; shares on
// macOS return ENOTTY or ENOTSUP. Disk errors have other codes: EIO, ENOSPC, EDQUOT, EROFS.
func isRefused(err error) bool {
	return errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTTY) || errors.Is(err, errors.ErrUnsupported)
}
