package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/inputs"
)

// outputError returns the error for a dataset that cannot be written.
func outputError(output string, err error) error {
	if text := obstacle(output); text != "" {
		return fmt.Errorf("cannot write to %s: %s; the output must be a folder", output, text)
	}
	return fmt.Errorf("cannot write to %s: %w", output, inputs.WithoutPath(output, err))
}

// obstacle explains why a folder cannot exist: its path, or a parent of it, is a
// file or a dangling link. It returns "" if there is another reason, or none.
func obstacle(folder string) string {
	if inputs.IsURL(folder) {
		return ""
	}
	folder = filepath.Clean(folder)
	for at := folder; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(at); err == nil {
			subject := "it"
			if at != folder {
				subject = at
			}
			return obstacleAt(at, subject)
		}
		if at == filepath.Dir(at) {
			return ""
		}
	}
}

func obstacleAt(path, subject string) string {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if target, err := os.Readlink(path); err == nil {
			return fmt.Sprintf("%s is a link to %s, which does not exist", subject, target)
		}
	case err == nil && info.Mode().IsRegular():
		return subject + " is a file"
	case err == nil && !info.IsDir():
		return subject + " is not a folder"
	}
	return ""
}

// outputFile is the path or URL of a file in the dataset.
func (f *convertFlags) outputFile(name string) string {
	if inputs.IsBucketURL(f.output) {
		return strings.TrimRight(f.output, "/") + "/" + name
	}
	return filepath.Join(f.output, filepath.FromSlash(name))
}

// reason removes the operation and the path from a file error, for a message
// that names the file as the user did.
func reason(err error) error {
	var file *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &file):
		return file.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}

// fileError returns the error for a file named by a flag.
func fileError(flag, path string, err error) error {
	return fmt.Errorf("--%s %s: %w", flag, path, reason(err))
}
