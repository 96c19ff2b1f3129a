package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"time"
)

// work keeps the machine busy for a time with what sessions record: files, the registry, networks,
// processes, threads that wait for each other, computing.
func work(busy time.Duration) error {
	end := time.Now().Add(busy)
	for round := 0; time.Now().Before(end); round++ {
		for _, part := range []func() error{files, network, handOver, processes, compute} {
			if err := part(); err != nil {
				return err
			}
		}
	}
	return nil
}

// files writes, reads, renames and removes files, and lists a folder.
func files() (err error) {
	folder, err := os.MkdirTemp("", "etl2parquet-record-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	for i := range 20 {
		path := filepath.Join(folder, fmt.Sprintf("file-%d.bin", i))
		if err := os.WriteFile(path, make([]byte, 4096*(i+1)), 0o666); err != nil {
			return err
		}
		if _, err := os.ReadFile(path); err != nil {
			return err
		}
		if err := os.Rename(path, path+".renamed"); err != nil {
			return err
		}
	}
	_, err = os.ReadDir(folder)
	return err
}

// network sends bytes to this machine over TCP and UDP.
func network() error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer listener.Close()
	received := make(chan error, 1)
	go func() {
		c, err := listener.Accept()
		if err == nil {
			_, err = io.Copy(io.Discard, c)
			err = errors.Join(err, c.Close())
		}
		received <- err
	}()
	c, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		return err
	}
	_, err = c.Write(make([]byte, 1<<20))
	if err := errors.Join(err, c.Close()); err != nil {
		return err
	}
	if err := <-received; err != nil {
		return err
	}
	u, err := net.Dial("udp", listener.Addr().String()) // where no one listens
	if err != nil {
		return err
	}
	u.Write([]byte("a datagram")) // an error says that no one listens
	return u.Close()
}

// handOver has two threads wait for each other, which is a context switch and a readied thread each time.
func handOver() error {
	there, back := make(chan int), make(chan int)
	var both sync.WaitGroup
	both.Go(func() {
		runtime.LockOSThread()
		for n := range there {
			back <- n
		}
		close(back)
	})
	both.Go(func() {
		runtime.LockOSThread()
		for n := range 500 {
			there <- n
			<-back
		}
		close(there)
	})
	both.Wait()
	time.Sleep(10 * time.Millisecond)
	return nil
}

// processes starts programs; on Windows, those that change the registry.
func processes() error {
	lines := [][]string{{"go", "version"}}
	if runtime.GOOS == "windows" {
		const key = `HKCU\Software\etl2parquet-record`
		lines = append(lines, []string{"reg", "add", key, "/v", "value", "/d", "data", "/f"},
			[]string{"reg", "query", key}, []string{"reg", "delete", key, "/f"})
	}
	for _, line := range lines {
		if out, err := exec.Command(line[0], line[1:]...).CombinedOutput(); err != nil {
			return fmt.Errorf("%q: %w: %.200s", line, err, out)
		}
	}
	return nil
}

func compute() error {
	sum := 0.0
	for i := range 5_000_000 {
		sum += math.Sqrt(float64(i))
	}
	if math.IsNaN(sum) { // never: so that the loop is not optimized away
		return errors.New("the sum is no number")
	}
	return nil
}
