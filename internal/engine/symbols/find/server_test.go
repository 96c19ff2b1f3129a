package find_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/base/remote"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols/find"
)

// impatience retries at once.
var impatience = remote.Patience{Tries: 3, FirstTries: 2, First: time.Millisecond, Most: 2 * time.Millisecond, Stall: time.Minute}

const pdbPath = "/symbols/ntdll.pdb/" + pdbID + "/ntdll.pdb"

// requests are the paths that were requested from a server.
type requests struct {
	mu    sync.Mutex
	paths []string
}

// count returns the number of requests so far; the server may still have one to take.
func (r *requests) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.paths)
}

// serve starts a server below /symbols. The handler is given the number of the request.
func serve(t *testing.T, handle func(w http.ResponseWriter, r *http.Request, n int)) (address string, asked *requests) {
	t.Helper()
	asked = &requests{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.mu.Lock()
		asked.paths = append(asked.paths, r.URL.Path)
		n := len(asked.paths)
		asked.mu.Unlock()
		handle(w, r, n)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/symbols/", asked
}

// TestServer checks the responses of servers.
func TestServer(t *testing.T) {
	right := pdbText(guid, 26)
	large := right + strings.Repeat("x", 3<<20)
	send := func(text string) func(w http.ResponseWriter, r *http.Request, n int) {
		return func(w http.ResponseWriter, _ *http.Request, _ int) { fmt.Fprint(w, text) }
	}
	compressed := compress(t, "ntdll.pdb", right)
	redirect := func(code, times int) func(w http.ResponseWriter, r *http.Request, n int) {
		return func(w http.ResponseWriter, r *http.Request, n int) {
			if n <= times {
				http.Redirect(w, r, fmt.Sprintf("/blob/%d", n), code)
				return
			}
			fmt.Fprint(w, right)
		}
	}
	status := func(status, times int) func(w http.ResponseWriter, r *http.Request, n int) {
		return func(w http.ResponseWriter, _ *http.Request, n int) {
			if n <= times {
				w.WriteHeader(status)
				return
			}
			fmt.Fprint(w, right)
		}
	}
	cut := func(times int) func(w http.ResponseWriter, r *http.Request, n int) {
		return func(w http.ResponseWriter, _ *http.Request, n int) {
			w.Header().Set("Content-Length", fmt.Sprint(len(large)))
			if n <= times {
				fmt.Fprint(w, large[:len(large)/2])
				panic(http.ErrAbortHandler)
			}
			fmt.Fprint(w, large)
		}
	}
	for name, test := range map[string]struct {
		handle func(w http.ResponseWriter, r *http.Request, n int)
		asked  int
		says   string // in the error; "" if it is found
	}{
		"there":              {send(right), 1, ""},
		"large":              {send(large), 1, ""},
		"missing":            {status(404, 9), 2, "not in http://"},
		"gone":               {status(410, 9), 2, "not in http://"},
		"forbidden":          {status(403, 9), 2, "the server answered 403 Forbidden"},
		"busy at first":      {status(503, 2), 3, ""},
		"too many requests":  {status(429, 1), 2, ""},
		"always busy":        {status(503, 99), 3, "503 Service Unavailable (tried 3 times)"},
		"redirected":         {redirect(302, 3), 4, ""},
		"redirected forever": {redirect(302, 99), 6, "the server redirects more than 5 times"},
		"cut once":           {cut(1), 2, ""},
		"always cut":         {cut(99), 3, "unexpected EOF (tried 3 times)"},
		"other GUID":         {send(pdbText(other, 26)), 1, "its file is another one: it has 00000000-2017-4967-be7a-a4a2c20430fa age 26, and 3844dbb9-"},
		"a page":             {send("<html>"), 1, "the file cannot be used: its file: "},
		"too large": {func(w http.ResponseWriter, _ *http.Request, _ int) {
			w.Header().Set("Content-Length", fmt.Sprint(1<<30))
			w.WriteHeader(200)
		}, 1, "too large: more than 8388608 bytes"},
		"endless": {func(w http.ResponseWriter, r *http.Request, _ int) {
			for r.Context().Err() == nil {
				if _, err := w.Write(make([]byte, 1<<20)); err != nil {
					return
				}
			}
		}, 1, "too large: more than 8388608 bytes"},
		"compressed": {func(w http.ResponseWriter, r *http.Request, _ int) {
			if !strings.HasSuffix(r.URL.Path, "_") {
				http.NotFound(w, r)
				return
			}
			fmt.Fprint(w, compressed)
		}, 2, ""},
		"compressed and cut": {func(w http.ResponseWriter, r *http.Request, _ int) {
			if !strings.HasSuffix(r.URL.Path, "_") {
				http.NotFound(w, r)
				return
			}
			fmt.Fprint(w, compressed[:len(compressed)-3])
		}, 2, "corrupt cabinet"},
	} {
		t.Run(name, func(t *testing.T) {
			address, asked := serve(t, test.handle)
			cache := t.TempDir()
			var mu sync.Mutex
			var last find.Progress
			o := find.Options{Server: []string{address}, Cache: cache, MaxBytes: 8 << 20, Patience: impatience,
				Progress: func(p find.Progress) { mu.Lock(); defer mu.Unlock(); last = p }}
			f := newFinder(t, o)
			for range 2 { // the second time no request is made
				file, err := f.PDB(t.Context(), ntdll)
				switch {
				case test.says != "":
					if !errors.Is(err, find.ErrNotFound) || !strings.Contains(err.Error(), test.says) {
						t.Errorf("error %v, want %q", err, test.says)
					}
					if left := tree(t, cache); len(left) > 0 {
						t.Errorf("left %v", left)
					}
					if last.Stored {
						t.Error("a file that failed is reported as stored")
					}
				case err != nil || file.From != address || !last.Done || !last.Stored || last.Bytes == 0:
					t.Errorf("%+v, %v, progress %+v", file, err, last)
				default:
					if got := tree(t, cache); !slices.Equal(got, []string{"ntdll.pdb/" + pdbID + "/ntdll.pdb"}) {
						t.Errorf("cache has %v", got)
					}
				}
			}
			if len(asked.paths) != test.asked || asked.paths[0] != pdbPath {
				t.Errorf("asked %d times, want %d: %q", len(asked.paths), test.asked, asked.paths)
			}
			again := newFinder(t, o)
			before := len(asked.paths)
			if file, err := again.PDB(t.Context(), ntdll); test.says == "" && (err != nil || file.From != cache || len(asked.paths) != before) {
				t.Errorf("again: %+v, %v, %d requests", file, err, len(asked.paths)-before)
			}
		})
	}
}

// TestSilentServer asks a server that accepts requests and never answers: it fails after the given
// time, for all files together.
func TestSilentServer(t *testing.T) {
	address, asked := serve(t, func(_ http.ResponseWriter, r *http.Request, _ int) { <-r.Context().Done() })
	f := newFinder(t, find.Options{Server: []string{address}, Cache: t.TempDir(), Patience: impatience, Timeout: 200 * time.Millisecond})
	if _, err := f.PDB(t.Context(), ntdll); err == nil || !strings.Contains(err.Error(), "the server sent nothing for 200ms (tried 2 times)") {
		t.Errorf("error %v", err)
	}
	if _, err := f.Image(t.Context(), image); err == nil || !strings.Contains(err.Error(), "is asked no more") {
		t.Errorf("error %v", err)
	}
	if n := asked.count(); n > 2 || len(f.notes) != 1 || !strings.Contains(f.notes[0], "is asked no more: the server sent nothing") {
		t.Errorf("asked %d times; notes %q", n, f.notes)
	}
}

// TestImageOnServer requests an image.
func TestImageOnServer(t *testing.T) {
	address, asked := serve(t, func(w http.ResponseWriter, _ *http.Request, _ int) { fmt.Fprint(w, imageText(0x1234ABC, 0x1F0000)) })
	f := newFinder(t, find.Options{Server: []string{address}, Cache: t.TempDir(), Patience: impatience})
	if file, err := f.Image(t.Context(), image); err != nil || filepath.Base(file.Path) != "ntdll.dll" {
		t.Error(file, err)
	}
	if want := []string{"/symbols/ntdll.dll/" + imageID + "/ntdll.dll"}; !slices.Equal(asked.paths, want) {
		t.Errorf("asked for %q", asked.paths)
	}
}

// TestEscapedName checks a name whose characters are special in an address.
func TestEscapedName(t *testing.T) {
	address, asked := serve(t, func(w http.ResponseWriter, _ *http.Request, _ int) { fmt.Fprint(w, pdbText(guid, 26)) })
	f := newFinder(t, find.Options{Server: []string{address}, Cache: t.TempDir(), Patience: impatience})
	if _, err := f.PDB(t.Context(), find.PDB{Name: "a%2e#b &.pdb", GUID: guid, Age: 26}); err != nil {
		t.Error(err)
	}
	if want := []string{"/symbols/a%2e#b &.pdb/" + pdbID + "/a%2e#b &.pdb"}; !slices.Equal(asked.paths, want) {
		t.Errorf("asked for %q", asked.paths)
	}
}

// TestDowngrade checks a server that redirects from https to http.
func TestDowngrade(t *testing.T) {
	plain, asked := serve(t, func(w http.ResponseWriter, _ *http.Request, _ int) { fmt.Fprint(w, pdbText(guid, 26)) })
	secure := httptest.NewTLSServer(http.RedirectHandler(plain, http.StatusFound))
	defer secure.Close()
	f := newFinder(t, find.Options{Server: []string{secure.URL}, Cache: t.TempDir(), Patience: impatience, Client: secure.Client()})
	if _, err := f.PDB(t.Context(), ntdll); !errors.Is(err, find.ErrNotFound) || !strings.Contains(err.Error(), "redirects from https to http") {
		t.Error(err)
	}
	if len(asked.paths) > 0 {
		t.Errorf("asked for %q", asked.paths)
	}
}

// TestUpgrade checks a server that redirects from http to https.
func TestUpgrade(t *testing.T) {
	secure := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, pdbText(guid, 26)) }))
	defer secure.Close()
	plain, _ := serve(t, func(w http.ResponseWriter, r *http.Request, _ int) { http.Redirect(w, r, secure.URL, http.StatusFound) })
	f := newFinder(t, find.Options{Server: []string{plain}, Cache: t.TempDir(), Patience: impatience, Client: secure.Client()})
	if _, err := f.PDB(t.Context(), ntdll); err != nil {
		t.Error(err)
	}
}

// TestConcurrent checks that each file is fetched once for many concurrent callers.
func TestConcurrent(t *testing.T) {
	address, asked := serve(t, func(w http.ResponseWriter, r *http.Request, _ int) {
		time.Sleep(time.Millisecond)
		if strings.Contains(r.URL.Path, "missing") {
			http.NotFound(w, r)
			return
		}
		fmt.Fprint(w, pdbText(guid, 26))
	})
	f := newFinder(t, find.Options{Server: []string{address}, Cache: t.TempDir(), Patience: impatience})
	var all sync.WaitGroup
	for i := range 64 {
		all.Go(func() {
			name := fmt.Sprintf("%d.pdb", i%4)
			if i%4 == 3 {
				name = "missing.pdb"
			}
			if _, err := f.PDB(t.Context(), find.PDB{Name: name, GUID: guid, Age: 26}); (err == nil) == (i%4 == 3) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	all.Wait()
	if len(asked.paths) != 5 {
		t.Errorf("asked for %q", asked.paths)
	}
}

// TestCancelled cancels a transfer. Another caller who waits for the same file still gets it.
func TestCancelled(t *testing.T) {
	began := make(chan bool)
	address, _ := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		if n == 1 {
			fmt.Fprint(w, pdbText(guid, 26)[:10])
			w.(http.Flusher).Flush()
			close(began)
			<-r.Context().Done()
			return
		}
		fmt.Fprint(w, pdbText(guid, 26))
	})
	cache := t.TempDir()
	f := newFinder(t, find.Options{Server: []string{address}, Cache: cache, Patience: impatience})
	ctx, cancel := context.WithCancel(t.Context())
	first := make(chan error)
	go func() { _, err := f.PDB(ctx, ntdll); first <- err }()
	<-began
	second := make(chan error)
	go func() { _, err := f.PDB(t.Context(), ntdll); second <- err }()
	cancel()
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := <-second; err != nil {
		t.Error(err)
	}
	if got := tree(t, cache); len(got) != 1 {
		t.Errorf("cache has %v", got)
	}
}

// TestServerDown checks that only the first files are requested from an unreachable server.
func TestServerDown(t *testing.T) {
	address, asked := serve(t, func(w http.ResponseWriter, _ *http.Request, _ int) { w.WriteHeader(http.StatusBadGateway) })
	f := newFinder(t, find.Options{Server: []string{address}, Cache: t.TempDir(), Patience: impatience})
	for i := range 10 {
		if _, err := f.PDB(t.Context(), find.PDB{Name: fmt.Sprintf("%d.pdb", i), GUID: guid, Age: 26}); !errors.Is(err, find.ErrNotFound) {
			t.Error(err)
		}
	}
	if len(asked.paths) != 6 || len(f.notes) != 1 || !strings.Contains(f.notes[0], "is asked no more: the server answered 502") {
		t.Errorf("asked %d times, notes %q", len(asked.paths), f.notes)
	}
}

// TestServersInOrder checks that the second server gets only requests for what the first lacks, and
// that no server gets a request for a file in a folder.
func TestServersInOrder(t *testing.T) {
	first, askedFirst := serve(t, func(w http.ResponseWriter, r *http.Request, _ int) { http.NotFound(w, r) })
	second, askedSecond := serve(t, func(w http.ResponseWriter, _ *http.Request, _ int) { fmt.Fprint(w, pdbText(guid, 26)) })
	dir := t.TempDir()
	write(t, dir, map[string]string{"here.pdb": pdbText(guid, 26)})
	f := newFinder(t, find.Options{Paths: []string{dir + ";srv*" + first}, Server: []string{first, second}, Cache: t.TempDir(), Patience: impatience})
	if _, err := f.PDB(t.Context(), find.PDB{Name: "here.pdb", GUID: guid, Age: 26}); err != nil || len(askedFirst.paths) > 0 {
		t.Error(err, askedFirst.paths)
	}
	if file, err := f.PDB(t.Context(), ntdll); err != nil || file.From != second || len(askedFirst.paths) != 2 || len(askedSecond.paths) != 1 {
		t.Error(file, err, askedFirst.paths, askedSecond.paths)
	}
	if len(f.notes) > 0 {
		t.Errorf("notes %q", f.notes)
	}
}
