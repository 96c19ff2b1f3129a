package inputs

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// fileScheme begins the URL of a file on this machine.
const fileScheme = "file:"

// LocalPath returns the path that a name of a file, a folder or a pattern stands for: "~" at the
// beginning is the user's home folder, and a URL such as file:///C:/traces is the path in it. A file
// of exactly this name is itself. Other names stay as they are.
func LocalPath(name string) (string, error) {
	windows := runtime.GOOS == "windows"
	if !isFileURL(name) && !isBelowHome(name, windows) {
		return name, nil
	}
	if _, err := os.Lstat(name); err == nil {
		return name, nil
	}
	if isFileURL(name) {
		return pathOfURL(name, windows)
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("the home folder is unknown: %w", err)
	}
	return filepath.Join(home, name[1:]), nil
}

// isBelowHome reports whether a name begins with the home folder of the user. Those of other users
// (~name) are not known.
func isBelowHome(name string, windows bool) bool {
	return name == "~" || strings.HasPrefix(name, "~/") || windows && strings.HasPrefix(name, `~\`)
}

func isFileURL(name string) bool {
	return len(name) > len(fileScheme) && strings.EqualFold(name[:len(fileScheme)], fileScheme) && name[len(fileScheme)] == '/'
}

// pathOfURL returns the path in the URL of a file.
func pathOfURL(name string, windows bool) (string, error) {
	path := name[len(fileScheme):]
	if host, ok := strings.CutPrefix(path, "//"); ok {
		slash := strings.IndexByte(host, '/')
		if slash < 0 {
			return "", errors.New("an invalid URL: it names no file; a file on this machine is file:///FOLDER/FILE")
		}
		if host, path = host[:slash], host[slash:]; host != "" && !strings.EqualFold(host, "localhost") {
			return "", fmt.Errorf("a file: URL names files on this machine, and this one names the machine %s", host)
		}
	}
	path, err := url.PathUnescape(path)
	switch {
	case err != nil:
		return "", fmt.Errorf("an invalid URL: %w", err)
	case strings.ContainsRune(path, 0):
		return "", errors.New("an invalid URL: its path has a NUL")
	}
	if windows {
		if len(path) >= 3 && path[2] == ':' { // /C:/traces
			path = path[1:]
		}
		path = strings.ReplaceAll(path, "/", `\`)
	}
	return path, nil
}
