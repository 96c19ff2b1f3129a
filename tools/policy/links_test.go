package policy

import (
	"net/url"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// TestLinks checks that each link of a page to a file of the repository leads to a file that git tracks
// and, behind a #, to a heading of that file.
func TestLinks(t *testing.T) {
	tracked := map[string]bool{}
	for _, name := range repositoryFiles(t) {
		for folder := name; folder != "."; folder = path.Dir(folder) {
			tracked[folder] = true
		}
	}
	links := 0
	for name := range tracked {
		// The folders of views have the parts of docs/views.md.
		if path.Ext(name) != ".md" || path.Base(name) == "view.md" {
			continue
		}
		for _, link := range linksOf(t, name) {
			links++
			to, anchor, hasAnchor := strings.Cut(link, "#")
			page := name
			if to != "" {
				page = path.Join(path.Dir(name), to)
			}
			switch {
			case !tracked[page]:
				t.Errorf("%s: %s: no file %s", name, link, page)
			case hasAnchor && !anchorsOf(t, page)[anchor]:
				t.Errorf("%s: %s: no heading #%s in %s", name, link, anchor, page)
			}
		}
	}
	t.Logf("%d links between pages", links)
}

// aConflict matches what Git leaves in a file where two changes collide.
var aConflict = regexp.MustCompile(`(?m)^(<<<<<<<|>>>>>>>) `)

// TestNoConflicts checks that each conflict of a merge was resolved.
func TestNoConflicts(t *testing.T) {
	for _, name := range repositoryFiles(t) {
		if m := aConflict.FindString(textOf(t, name)); m != "" {
			t.Errorf("%s has the line %s...", name, m)
		}
	}
}

var (
	fencedBlock = regexp.MustCompile("(?ms)^ *(```+|~~~+).*?^ *(```+|~~~+) *$")
	codeSpan    = regexp.MustCompile("`[^`]*`")
	pageLink    = regexp.MustCompile(`\]\(\s*([^)\s]+)(?:\s+"[^"]*")?\s*\)|<(?:img|source|a)\s[^>]*?\b(?:src|srcset|href)="([^"]+)"`)
	aHeading    = regexp.MustCompile(`(?m)^#{1,6} +(.*?)[ #]*$`)
)

// linksOf returns the links of a page that are not addresses of the web.
func linksOf(t *testing.T, name string) (links []string) {
	t.Helper()
	for _, m := range pageLink.FindAllStringSubmatch(codeSpan.ReplaceAllString(fencedBlock.ReplaceAllString(textOf(t, name), ""), ""), -1) {
		link := m[1] + m[2]
		if u, err := url.Parse(link); err != nil {
			t.Errorf("%s: %v", name, err)
		} else if u.Scheme == "" && u.Host == "" {
			links = append(links, link)
		}
	}
	return links
}

// anchorsOf returns the names that GitHub and generators of sites give the headings of a page.
func anchorsOf(t *testing.T, name string) map[string]bool {
	t.Helper()
	anchors := map[string]bool{}
	for _, m := range aHeading.FindAllStringSubmatch(fencedBlock.ReplaceAllString(textOf(t, name), ""), -1) {
		anchor := anchorOf(m[1])
		for n := 1; anchors[anchor]; n++ {
			anchor = anchorOf(m[1]) + "-" + strconv.Itoa(n)
		}
		anchors[anchor] = true
	}
	return anchors
}

// linkText matches a link inside a heading, of which only the text counts.
var linkText = regexp.MustCompile(`\[([^]]*)\]\([^)]*\)`)

// anchorOf returns the name of a heading: lower case letters, digits, _ and -, with - for each blank.
func anchorOf(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ' || r == '-':
			return '-'
		case r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, linkText.ReplaceAllString(heading, "$1"))
}
