package remote_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/base/remote"
)

// TestConnections sends more concurrent requests than the allowed connections: they
// wait for each other, and all are answered.
func TestConnections(t *testing.T) {
	const connections, requests = 3, 40
	var mu sync.Mutex
	open, highest := make(map[net.Conn]bool), 0
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(time.Millisecond) // so that other requests arrive meanwhile
		w.WriteHeader(http.StatusNoContent)
	}))
	server.Config.ConnState = func(c net.Conn, state http.ConnState) {
		mu.Lock()
		defer mu.Unlock()
		switch state {
		case http.StateNew:
			open[c] = true
		case http.StateClosed:
			delete(open, c)
		}
		highest = max(highest, len(open))
	}
	server.Start()
	t.Cleanup(server.Close)
	client := &http.Client{Transport: remote.NewTransport(time.Hour, connections)}
	defer client.CloseIdleConnections()
	var all sync.WaitGroup
	for range requests {
		all.Go(func() {
			response, err := client.Get(server.URL)
			if err != nil {
				t.Error(err)
				return
			}
			response.Body.Close()
		})
	}
	all.Wait()
	mu.Lock() // the server may still report a connection that it closes
	defer mu.Unlock()
	if highest > connections {
		t.Errorf("%d connections, of %d", highest, connections)
	}
}
