package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// slowServer is a server that lets its clients wait. Its tests run in a bubble with a clock of its
// own, so that they take no time.
type slowServer struct {
	silence []time.Duration // before the answer to each request; the last one repeats
	status  int             // of the answers; 0 is 200
	after   string          // Retry-After
	size    int             // of the body
	chunk   int             // bytes sent at a time
	gap     time.Duration   // before each chunk
	stop    int             // byte at which the body stops; 0: never

	requests int
}

func (s *slowServer) RoundTrip(r *http.Request) (*http.Response, error) {
	wait := s.silence[min(s.requests, len(s.silence)-1)]
	s.requests++
	if err := pauseFor(r.Context(), wait); err != nil {
		return nil, err
	}
	status := s.status
	if status == 0 {
		status = http.StatusOK
	}
	return &http.Response{StatusCode: status, Header: http.Header{"Retry-After": {s.after}}, ContentLength: int64(s.size), Body: &slowBody{s: s, ctx: r.Context()}}, nil
}

func pauseFor(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

type slowBody struct {
	s    *slowServer
	ctx  context.Context
	sent int
}

func (b *slowBody) Read(p []byte) (int, error) {
	if b.sent == b.s.size {
		return 0, io.EOF
	}
	gap := b.s.gap
	if b.s.stop > 0 && b.sent >= b.s.stop {
		gap = 1000 * time.Hour
	}
	if err := pauseFor(b.ctx, gap); err != nil {
		return 0, err
	}
	n := min(len(p), b.s.chunk, b.s.size-b.sent)
	b.sent += n
	return n, nil
}

func (b *slowBody) Close() error { return nil }

// get sends one request, and reads the answer.
func (s *slowServer) get(ctx context.Context, think time.Duration) error {
	response, err := s.open(ctx)
	if err != nil {
		return err
	}
	defer response.Close()
	for {
		time.Sleep(think)
		if _, err := response.Read(make([]byte, 64<<10)); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func (s *slowServer) open(ctx context.Context) (io.ReadCloser, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://host:8/a/boot%20x.etl?sig=hidden", strings.NewReader(""))
	if err != nil {
		return nil, err
	}
	response, err := roundTrip(s, request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		return nil, StatusError(response.StatusCode)
	}
	return response.Body, nil
}

// TestPatience checks how long a run waits for servers that are silent, slow or busy.
func TestPatience(t *testing.T) {
	always := func(d time.Duration) []time.Duration { return []time.Duration{d} }
	const long = 1000 * time.Hour
	for _, test := range []struct {
		name   string
		server slowServer
		think  time.Duration // that the caller takes between reads
		want   string        // the error, "" for none
		most   time.Duration
		waits  int // silences that are reported, and their ends
	}{
		{"quick", slowServer{silence: always(0), size: 1 << 20, chunk: 1 << 10}, 0, "", 0, 0},
		{"silent", slowServer{silence: always(long)}, 0, "the server sent nothing for 1m0s (tried 2 times)", 62 * time.Second, 2},
		{"silent at first", slowServer{silence: []time.Duration{long, 0}, size: 10, chunk: 10}, 0, "", 32 * time.Second, 2},
		{"late", slowServer{silence: always(29 * time.Second), size: 10, chunk: 10}, 0, "", 30 * time.Second, 2},
		{"stops in the middle", slowServer{silence: always(0), size: 1 << 20, chunk: 1 << 10, stop: 1 << 19}, 0, "the server sent nothing for 1m0s (tried 2 times)", 62 * time.Second, 4},
		{"a byte now and then", slowServer{silence: always(0), size: 1 << 20, chunk: 1, gap: time.Second}, 0, "bytes in 1m0s, and it must send 1024 a second", time.Minute, 0},
		{"just enough", slowServer{silence: always(0), size: 200 << 10, chunk: 1100, gap: time.Second}, 0, "", 201 * time.Second, 0},
		{"slow later", slowServer{silence: always(0), size: 200 << 10, chunk: 1 << 10, gap: 1100 * time.Millisecond}, 0, "the server is too slow: 5", 2 * time.Minute, 0},
		{"a slow caller", slowServer{silence: always(0), size: 10 << 10, chunk: 1 << 10}, time.Hour, "", 12 * time.Hour, 0},
		{"busy", slowServer{silence: always(0), status: 503}, 0, "the server answered 503 Service Unavailable (tried 8 times)", 27 * time.Second, 0},
		{"busy and slow", slowServer{silence: always(8 * time.Second), status: 503}, 0, "the server answered 503 Service Unavailable (tried 8 times)", 91 * time.Second, 16},
		{"asks for pauses", slowServer{silence: always(0), status: 429, after: "20"}, 0, "the server answered 429 Too Many Requests, and asks for a pause of 20s (tried 4 times)", 61 * time.Second, 0},
		{"asks for a long pause", slowServer{silence: always(0), status: 503, after: "3600"}, 0, "503 Service Unavailable, and asks for a pause of 1h0m0s", 0, 0},
		{"asks nonsense", slowServer{silence: always(0), status: 503, after: "-5"}, 0, "503 Service Unavailable (tried 8 times)", 27 * time.Second, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p, begin := DefaultPatience, time.Now()
				var mu sync.Mutex
				waits := 0
				p.OnWait = func(w Wait) {
					mu.Lock()
					defer mu.Unlock()
					waits++
					if want := (Wait{"boot x.etl", "https://host:8", waits%2 == 0}); w != want {
						t.Errorf("%+v, want %+v", w, want)
					}
				}
				r := &Retrier{Patience: p, Final: func(error) bool { return false }}
				err := r.Transfer(t.Context(), func(ctx context.Context) error { return test.server.get(ctx, test.think) })
				if took := time.Since(begin); took > test.most {
					t.Errorf("it took %v, longer than %v", took, test.most)
				}
				if fmt.Sprint(err) == "<nil>" != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
					t.Errorf("error %v, want %q", err, test.want)
				}
				mu.Lock()
				defer mu.Unlock()
				if waits != test.waits {
					t.Errorf("%d reports of silences, want %d", waits, test.waits)
				}
			})
		})
	}
}

// TestPatienceWithStreams checks that streams end too, although nothing is read twice, and that time
// between reads does not count.
func TestPatienceWithStreams(t *testing.T) {
	for _, test := range []struct {
		name   string
		server slowServer
		think  time.Duration
		want   error
		most   time.Duration
	}{
		{"quick", slowServer{size: 1 << 20, chunk: 1 << 10}, 0, nil, 0},
		{"a slow caller", slowServer{size: 20 << 10, chunk: 1 << 10}, time.Hour, nil, 21 * time.Hour},
		{"stops", slowServer{size: 1 << 20, chunk: 1 << 10, stop: 1 << 15}, 0, ErrSilent, time.Minute},
		{"slow", slowServer{size: 1 << 20, chunk: 10, gap: time.Second}, 0, ErrSlow, time.Minute},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				test.server.silence = []time.Duration{0}
				begin := time.Now()
				r := &Retrier{Patience: DefaultPatience, Final: func(error) bool { return false }}
				body, err := r.Stream(t.Context(), test.server.open)
				if err != nil {
					t.Fatal(err)
				}
				var got bytes.Buffer
				for err == nil {
					time.Sleep(test.think)
					_, err = io.CopyN(&got, body, 1<<10)
				}
				if test.want == nil && (err != io.EOF || got.Len() != test.server.size) || test.want != nil && !errors.Is(err, test.want) {
					t.Errorf("%d bytes, error %v, want %v", got.Len(), err, test.want)
				}
				if took := time.Since(begin); took > test.most {
					t.Errorf("it took %v, longer than %v", took, test.most)
				}
				if err := body.Close(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}
