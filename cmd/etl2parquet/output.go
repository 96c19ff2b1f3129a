package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// outputError words an error of the dataset as a whole.
func outputError(output string, err error) error {
	if text := obstacle(output); text != "" {
		return fmt.Errorf("cannot write to %s: %s; the output must be a folder", output, text)
	}
	return fmt.Errorf("cannot write to %s: %w", output, pathless(output, err))
}

// obstacle returns why there cannot be a folder of a name: the name, or one
// above it, is that of a file or of a link that leads nowhere. It returns "" if
// there is another reason, or none.
func obstacle(folder string) string {
	if isURL(folder) {
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

// reason leaves out the operation and the path of an error with a file, for a
// message that names the file as the user did.
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

// fileError returns the error of a file that a flag names.
func fileError(flag, path string, err error) error {
	return fmt.Errorf("--%s %s: %w", flag, path, reason(err))
}
