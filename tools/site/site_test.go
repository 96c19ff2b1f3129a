package main

import (
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestSources checks the sources of the site: each view and table has a page, and each link between
// pages leads to one.
func TestSources(t *testing.T) {
	pages, err := sources(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range views.BuiltIn().All() {
		if page := string(pages["views/"+v.Name+".md"]); !strings.Contains(page, "\n## Columns\n") || !strings.Contains(page, "\n## What it needs recorded\n") {
			t.Errorf("view %s has the page %.200q", v.Name, page)
		}
	}
	links := 0
	for name, text := range pages {
		if path.Ext(name) != ".md" {
			continue
		}
		outsideCode(string(text), func(part string) string {
			for _, m := range markdownLink.FindAllStringSubmatch(part, -1) {
				to, _, _ := strings.Cut(m[2], "#")
				if to == "" || strings.Contains(to, ":") {
					continue
				}
				links++
				if target := path.Join(path.Dir(name), to); pages[target] == nil {
					t.Errorf("%s: no page %s", name, target)
				}
			}
			return part
		})
	}
	if tables := len(allTables()); tables < 600 || links < 2*tables {
		t.Errorf("%d tables, %d links", tables, links)
	}
}

// TestNavigation checks that the navigation has each page of docs, and no other.
func TestNavigation(t *testing.T) {
	config := testenv.ReadFile(t, "zensical.toml")
	inDocs := map[string]bool{"tables.md": true} // generated
	for _, pattern := range []string{"*.md", "*/*.md"} {
		names, err := filepath.Glob("../../docs/" + pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			inDocs[strings.TrimPrefix(filepath.ToSlash(name), "../../docs/")] = true
		}
	}
	for name := range inDocs {
		if !strings.Contains(string(config), `"`+name+`"`) {
			t.Errorf("zensical.toml does not have %s in its navigation", name)
		}
	}
	for _, part := range strings.Split(string(config), `"`) {
		if strings.HasSuffix(part, ".md") && !inDocs[part] {
			t.Errorf("zensical.toml has %s, which is not a page of docs", part)
		}
	}
}

func TestSiteLink(t *testing.T) {
	for _, test := range []struct{ page, link, want string }{
		{"query.md", "dataset.md#names-of-traces", "dataset.md#names-of-traces"},
		{"query.md", "../SECURITY.md#x", repository + "SECURITY.md#x"},
		{"dev/format.md", "../../bench/scale.sh", repository + "bench/scale.sh"},
		{"query.md", "views.md#cpu_usage", "views/cpu_usage.md"},
		{"tours/slow-start.md", "../views.md#cpu_usage", "../views/cpu_usage.md"},
		{"views.md", "#cpu_usage", "views/cpu_usage.md"},
		{"query.md", "views.md", "views.md"},
		{"query.md", "https://duckdb.org", "https://duckdb.org"},
	} {
		if got := siteLink(test.page, test.link); got != test.want {
			t.Errorf("%s in %s is %s, want %s", test.link, test.page, got, test.want)
		}
	}
}

func TestEscape(t *testing.T) {
	const text = "a|b *c* x_y [d](e) <script> `f_g`"
	if got, want := cell(text), `a\|b \*c\* x\_y \[d\](e) &lt;script&gt; `+"`f_g`"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func TestCheckLinks(t *testing.T) {
	site := func(page string) fstest.MapFS {
		return fstest.MapFS{
			"index.html":   {Data: []byte(page)},
			"a/index.html": {Data: []byte(`<h2 id="b&amp;c">`)},
		}
	}
	for _, test := range []struct{ page, want string }{
		{`<a href="a/#b&amp;c"><a href="https://x.org/y"><a href="a/"><img src="a/index.html">`, ""},
		{`<a href="b/">`, "index.html: b/ leads nowhere"},
		{`<a href="a/#d">`, "index.html: a/#d: no such element"},
		{`<a href="#d">`, "index.html: #d: no such element"},
	} {
		n, err := checkLinks(site(test.page))
		switch {
		case test.want == "" && (err != nil || n.pages != 2 || n.links != 3):
			t.Errorf("%s: %v, %v", test.page, n, err)
		case test.want != "" && (err == nil || err.Error() != test.want):
			t.Errorf("%s: %v, want %s", test.page, err, test.want)
		}
	}
}
