package report

// WithMaxPage returns options with another bound on the page than MaxPage.
func (o Options) WithMaxPage(n int) Options { o.maxPage = n; return o }
