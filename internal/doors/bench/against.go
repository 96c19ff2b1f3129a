package bench

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Peers are the programs to compare with: Python packages.
var Peers = []string{"etl-parser", "dissect"}

// packages has the name for pip, and a module, of each peer.
var packages = map[string]struct{ pip, module string }{
	"etl-parser": {"etl-parser", "etl.etl"},
	"dissect":    {"dissect.etl", "dissect.etl"},
}

// ErrNoPeer means that a peer is not installed. The error's text says how to install it.
var ErrNoPeer = errors.New("not installed")

//go:embed peer.py
var peerScript string

// Peer is an installed program to compare with.
type Peer struct {
	name   string
	python string // path
}

// FindPeer finds a peer that the Python interpreter can import.
func FindPeer(ctx context.Context, name, python string) (*Peer, error) {
	of, ok := packages[name]
	if !ok {
		return nil, fmt.Errorf("unknown peer %q; there are %v", name, Peers)
	}
	path, err := exec.LookPath(python)
	if err != nil {
		return nil, fmt.Errorf("%s needs Python, and %s is %w", name, python, ErrNoPeer)
	}
	if out, err := exec.CommandContext(ctx, path, "-c", "import "+of.module).CombinedOutput(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("%s is %w for %s (%s); to install it: %s -m pip install %s", name, ErrNoPeer, python, lastLine(out), python, of.pip)
	}
	return &Peer{name, path}, nil
}

func lastLine(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return lines[len(lines)-1]
}

// Against is the result of a peer for the same trace.
type Against struct {
	Peer    string     `json:"peer"`
	Version string     `json:"version"`
	Python  string     `json:"python"`
	Modes   []PeerMode `json:"modes"`
}

// PeerMode is one walk of a peer through the trace, with the stages of this program that do the
// same work.
type PeerMode struct {
	Mode       string  `json:"mode"`     // headers, or all: with payloads
	Events     int64   `json:"events"`   // that the peer found
	Payloads   int64   `json:"payloads"` // returned without an error; dissect returns some as raw bytes
	Failed     int64   `json:"failed"`   // payloads that ended in an error
	FirstError string  `json:"first_error"`
	Stopped    string  `json:"stopped"` // the error that ended the walk, or ""
	CPU        float64 `json:"cpu_seconds"`
	Wall       float64 `json:"wall_seconds"`

	EventsPerCore float64  `json:"events_per_cpu_second"`
	OurStages     []string `json:"our_stages"` // measured with one worker
	OurCPU        float64  `json:"our_cpu_seconds"`
	OurEvents     int64    `json:"our_events"`
	Times         *float64 `json:"times"` // processor time per event, the peer's divided by ours; null if the peer found no event, or no time was measured
}

// modes are the peers' modes, with the stages of this program that do the same work.
var modes = []struct {
	name string
	ours []stageKey
}{
	{"headers", []stageKey{{"index", "read"}, {"index", "walk"}}},
	{"all", []stageKey{{"index", "read"}, {"index", "walk"}, {"index", "kinds"}, {"index", "attribution"}, {"index", rest}, {"attribution", ""}, {"decode", ""}}},
}

// peerOutput is the output of the script.
type peerOutput struct {
	Version, Python  string
	Events, Payloads int64
	Failed           int64
	FirstError       string `json:"first_error"`
	Stopped          string
	CPU              float64 `json:"cpu_seconds"`
	Wall             float64 `json:"wall_seconds"`
}

// compare runs the peer once in each mode.
func (m *measurement) compare(t *Trace) error {
	path := filepath.Join(m.folder, "trace.etl")
	if err := m.copyTrace(path); err != nil {
		return err
	}
	t.Against = &Against{Peer: m.o.Peer.name, Modes: []PeerMode{}}
	for _, mode := range modes {
		m.notice(m.o.Peer.name + ", " + mode.name)
		out, err := m.o.Peer.run(m.ctx, mode.name, path)
		if err != nil {
			return err
		}
		t.Against.Version, t.Against.Python = out.Version, out.Python
		p := PeerMode{
			Mode: mode.name, Events: out.Events, Payloads: out.Payloads, Failed: out.Failed, FirstError: out.FirstError, Stopped: out.Stopped,
			CPU: out.CPU, Wall: out.Wall, EventsPerCore: rate(out.Events, out.CPU), OurEvents: t.Shape.Events,
		}
		for i := range t.Stages {
			s := &t.Stages[i]
			if key := (stageKey{s.Stage, s.Step}); s.Workers == 1 && slices.Contains(mode.ours, key) {
				p.OurStages = append(p.OurStages, key.String())
				p.OurCPU += s.CPU
			}
		}
		if p.EventsPerCore > 0 && p.OurCPU > 0 {
			times := rate(t.Shape.Events, p.OurCPU) / p.EventsPerCore
			p.Times = &times
		}
		t.Against.Modes = append(t.Against.Modes, p)
	}
	return os.Remove(path)
}

// copyTrace copies the trace into a file, since the input may be in an archive.
func (m *measurement) copyTrace(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, io.NewSectionReader(m.in.Trace, 0, m.in.Size))
	return errors.Join(err, f.Close())
}

// run runs the peer's walk.
func (p *Peer) run(ctx context.Context, mode, path string) (*peerOutput, error) {
	var errs bytes.Buffer
	command := exec.CommandContext(ctx, p.python, "-c", peerScript, p.name, mode, path)
	command.Stderr = &errs
	text, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", p.name, err, lastLine(errs.Bytes()))
	}
	out := new(peerOutput)
	if err := json.Unmarshal(text, out); err != nil {
		return nil, fmt.Errorf("%s: %w", p.name, err)
	}
	return out, nil
}
