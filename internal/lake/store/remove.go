package store

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/etl2parquet/etl2parquet/internal/base/ordered"
)

// Remove implements Store. It also removes folders that become empty. After an error it
// continues with the other files.
func (f *Folder) Remove(ctx context.Context, names ...string) error {
	var folders []string
	var failed error
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		folder, err := f.remove(f.path(name))
		failed = cmp.Or(failed, err)
		if folder != "" {
			folders = append(folders, folder)
		}
	}
	return cmp.Or(failed, f.syncFolders(folders))
}

// Sync implements Store.
func (f *Folder) Sync(_ context.Context, names ...string) error {
	var folders []string
	for _, name := range names {
		folders = append(folders, filepath.Dir(f.path(name)))
	}
	return f.syncFolders(folders)
}

// syncsAtOnce is the number of folders synced concurrently: a file system writes its
// journal once for all waiting callers.
const syncsAtOnce = 16

// syncFolders syncs each of the folders once.
func (f *Folder) syncFolders(folders []string) error {
	if f.transient {
		return nil
	}
	slices.Sort(folders)
	folders = slices.Compact(folders)
	return ordered.Each(len(folders), syncsAtOnce, func(i int) error { return f.syncFolder(folders[i]) })
}

// remove removes a file, and folders that become empty. It returns the folder to sync,
// or "" if the file did not exist.
func (f *Folder) remove(file string) (folder string, err error) {
	err = patiently(func() error { return os.Remove(file) })
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	folder = f.removeEmpty(filepath.Dir(file))
	if err != nil {
		return "", nil
	}
	return folder, nil
}

// removeEmpty removes empty folders, up to the root, and returns the first that is not
// empty.
func (f *Folder) removeEmpty(folder string) string {
	root := filepath.Clean(f.root)
	for folder != root && os.Remove(folder) == nil {
		folder = filepath.Dir(folder)
	}
	return folder
}

// syncFolder syncs the names in a folder to the disk, if its file system supports that.
func (f *Folder) syncFolder(folder string) error {
	f.files.begin(context.Background()) // never cancelled
	defer f.files.end()
	return syncFolder(folder)
}
