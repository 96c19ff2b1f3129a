package main

import (
	"errors"
	"fmt"
	"html"
	"io/fs"
	"net/url"
	"path"
	"regexp"
	"strings"
)

// counts says how many pages and links of a site were checked.
type counts struct{ pages, links int }

var (
	siteLinks = regexp.MustCompile(`\s(?:href|src)="([^"]*)"`)
	siteIDs   = regexp.MustCompile(`\sid="([^"]*)"`)
)

// checkLinks checks that each link of a built site that stays within it leads to a file and, behind a #,
// to an element of it.
func checkLinks(site fs.FS) (n counts, err error) {
	ids := make(map[string]map[string]bool) // of the elements of each page
	files := make(map[string]bool)
	text := make(map[string]string)
	err = fs.WalkDir(site, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files[name] = true
		if path.Ext(name) != ".html" {
			return nil
		}
		page, err := fs.ReadFile(site, name)
		if err != nil {
			return err
		}
		text[name], ids[name] = string(page), make(map[string]bool)
		for _, m := range siteIDs.FindAllStringSubmatch(text[name], -1) {
			ids[name][html.UnescapeString(m[1])] = true
		}
		return nil
	})
	if err != nil {
		return n, err
	}
	var broken []error
	for name, page := range text {
		if name == "404.html" {
			continue // its links are for any address
		}
		n.pages++
		for _, m := range siteLinks.FindAllStringSubmatch(page, -1) {
			link := html.UnescapeString(m[1])
			u, err := url.Parse(link)
			switch {
			case err != nil:
				broken = append(broken, fmt.Errorf("%s: %w", name, err))
				continue
			case u.Scheme != "" || u.Host != "":
				continue
			}
			n.links++
			target := name
			if u.Path != "" {
				target = path.Join(path.Dir(name), u.Path)
			}
			if !files[target] {
				target = path.Join(target, "index.html")
			}
			switch {
			case !files[target]:
				broken = append(broken, fmt.Errorf("%s: %s leads nowhere", name, link))
			case u.Fragment != "" && strings.HasSuffix(target, ".html") && !ids[target][u.Fragment]:
				broken = append(broken, fmt.Errorf("%s: %s: no such element", name, link))
			}
		}
	}
	return n, errors.Join(broken...)
}
