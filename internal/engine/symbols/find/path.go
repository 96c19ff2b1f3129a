package find

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// place is a part of a symbol path: a folder, a file, or a server.
type place struct {
	folder, file, server string
}

func (p place) String() string { return p.folder + p.file + p.server }

// parsePath returns the places of a symbol path, in order. A path that exists literally is a folder
// or a file, whatever characters it contains.
func parsePath(path string) []place {
	if p, ok := existing(path); ok {
		return []place{p}
	}
	var places []place
	for element := range strings.SplitSeq(path, ";") {
		places = append(places, parseElement(strings.Trim(element, " \t\r\n"))...)
	}
	return places
}

// parseElement returns the places of an element: a folder or a file; a server; or, with * between
// them, a list of stores. All places of a list are searched in the same way, so that the position
// of caches, stores and servers does not matter. An empty place stands for a debugger's own store.
func parseElement(element string) []place {
	parts := strings.Split(element, "*")
	if len(parts) > 1 {
		switch strings.ToLower(parts[0]) {
		case "srv", "cache":
			parts = parts[1:]
		case "symsrv": // its second part is the name of a DLL
			parts = parts[2:]
		default:
			parts = []string{element}
		}
	}
	var places []place
	for _, part := range parts {
		if part = strings.Trim(part, " \t\r\n"); part != "" {
			places = append(places, parsePlace(part))
		}
	}
	return places
}

func parsePlace(part string) place {
	if isAddress(part) {
		return place{server: part}
	}
	if p, ok := existing(part); ok {
		return p
	}
	return place{folder: part}
}

// existing returns a folder or a file on disk.
func existing(path string) (place, bool) {
	info, err := os.Stat(path)
	switch {
	case path == "" || err != nil:
		return place{}, false
	case info.IsDir():
		return place{folder: filepath.Clean(path)}, true
	case info.Mode().IsRegular():
		return place{file: filepath.Clean(path)}, true
	}
	return place{}, false
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func isAddress(text string) bool {
	lower := strings.ToLower(text)
	return strings.HasPrefix(lower, "http://") || strings.HasPrefix(lower, "https://")
}

// allows reports whether a server may be used. Addresses that differ only in the case of their
// hosts or in a slash at the end are the same.
func (f *Finder) allows(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	for _, s := range f.servers {
		if strings.EqualFold(s.base.Scheme, u.Scheme) && strings.EqualFold(s.base.Host, u.Host) &&
			strings.TrimRight(s.base.Path, "/") == strings.TrimRight(u.Path, "/") {
			return true
		}
	}
	return false
}
