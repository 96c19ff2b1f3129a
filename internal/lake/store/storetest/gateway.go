package storetest

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"testing"
)

// What a gateway does with a request, if it does not answer with a status.
const (
	Pass = 0
	Lost = -1 // the server handles it, but the answer is lost
	Cut  = -2 // the server does not receive it
)

// Gateway returns the URL of an HTTP proxy for the server at address. fault decides
// how each request fails.
func Gateway(t *testing.T, address string, fault func(r *http.Request) (status int)) string {
	t.Helper()
	target, err := url.Parse("http://" + address)
	if err != nil {
		t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target); r.Out.Host = r.In.Host },
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch status := fault(r); status {
		case Pass:
			proxy.ServeHTTP(w, r)
		case Lost:
			proxy.ServeHTTP(httptest.NewRecorder(), r)
			panic(http.ErrAbortHandler)
		case Cut:
			panic(http.ErrAbortHandler)
		default:
			w.WriteHeader(status)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}
