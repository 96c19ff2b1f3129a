package main

import (
	"io/fs"
	"path"
	"regexp"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/lake/views"
)

// repository is where links lead that leave docs.
const repository = "https://github.com/etl2parquet/etl2parquet/blob/main/"

// sources returns the sources of the site by their names below docs: the files there, with links that the
// site understands, and the generated pages.
func sources(root fs.FS) (map[string][]byte, error) {
	files := make(map[string][]byte)
	err := fs.WalkDir(root, "docs", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		contents, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		name = strings.TrimPrefix(name, "docs/")
		if path.Ext(name) == ".md" {
			contents = []byte(withSiteLinks(name, string(contents)))
		}
		files[name] = contents
		return nil
	})
	if err != nil {
		return nil, err
	}
	for name, text := range viewPages() {
		files[name] = []byte(text)
	}
	for name, text := range tablePages() {
		files[name] = []byte(text)
	}
	return files, nil
}

var markdownLink = regexp.MustCompile(`(\]\()([^)\s]+)(\))`)

// withSiteLinks returns a page of docs with links that lead out of docs to the repository, and links to a
// view to its own page.
func withSiteLinks(page, text string) string {
	return outsideCode(text, func(text string) string {
		return markdownLink.ReplaceAllStringFunc(text, func(link string) string {
			m := markdownLink.FindStringSubmatch(link)
			return m[1] + siteLink(page, m[2]) + m[3]
		})
	})
}

func siteLink(page, link string) string {
	if strings.Contains(link, ":") {
		return link
	}
	to, anchor, _ := strings.Cut(link, "#")
	target := page
	if to != "" {
		target = path.Join(path.Dir(page), to)
	}
	switch {
	case strings.HasPrefix(target, "../"):
		return repository + strings.TrimPrefix(path.Join("docs", target)+strings.TrimPrefix(link, to), "/")
	case target == "views.md" && hasPage(anchor):
		return relative(page, "views/"+anchor+".md")
	}
	return link
}

func hasPage(view string) bool {
	return views.BuiltIn().Lookup(view) != nil || views.BuiltIn().LookupMacro(view) != nil
}

// relative returns the link from a page to another.
func relative(from, to string) string {
	return strings.Repeat("../", strings.Count(from, "/")) + to
}

var fences = regexp.MustCompile("(?m)^ *```")

// outsideCode applies a function to the parts of a page that are not code in fences.
func outsideCode(text string, apply func(string) string) string {
	var b strings.Builder
	at, inCode := 0, false
	for _, fence := range fences.FindAllStringIndex(text, -1) {
		part := text[at:fence[0]]
		if !inCode {
			part = apply(part)
		}
		b.WriteString(part)
		at, inCode = fence[0], !inCode
	}
	part := text[at:]
	if !inCode {
		part = apply(part)
	}
	b.WriteString(part)
	return b.String()
}
