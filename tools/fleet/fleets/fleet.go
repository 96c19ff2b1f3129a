// Package fleets makes folders of small made traces: see [Make].
package fleets

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
)

// Options say what a folder has. Traces, Kinds, Logs, Machines, Boots and Builds are at least 1.
//
// Folders keep their bytes, truth.json included: a new option is off in Defaults, and its field
// here and new fields in [Truth] are omitted from the JSON where they are zero.
type Options struct {
	Seed     uint64 `json:"seed"`
	Traces   int    `json:"traces"`   // files
	Kinds    int    `json:"kinds"`    // kinds of event, without those of Windows itself
	Logs     int    `json:"logs"`     // kinds of log, each with its own kinds of event
	Machines int    `json:"machines"` // that record traces
	Boots    int    `json:"boots"`    // of a machine
	Builds   int    `json:"builds"`   // of Windows; those of a machine rise from boot to boot

	Series      int `json:"series"`      // sessions that wrote 2 to 4 files, one after another
	Circular    int `json:"circular"`    // files that wrapped
	Damage      int `json:"damage"`      // damaged files
	Copies      int `json:"copies"`      // files with the bytes of another file
	Errors      int `json:"errors"`      // planted errors with a cause
	Differences int `json:"differences"` // planted differences between builds

	Sessions int `json:"sessions,omitempty"` // further series with losses; every other session is private, and writes its start into each file
	Running  int `json:"running,omitempty"`  // circular files that were copied while they were written: without an end
	Renamed  int `json:"renamed,omitempty"`  // files whose names do not end in .etl
	Apart    int `json:"apart,omitempty"`    // logs of which one trace alone has the descriptions of the events of manifests
}

// Defaults returns the options of a folder with a seed and numbers of traces and kinds. Features of
// files are as frequent in each size. Defaults(1, 1000, 1800) is the folder that tests call generated.
func Defaults(seed uint64, traces, kinds int) Options {
	return Options{
		Seed: seed, Traces: traces, Kinds: kinds, Logs: 6, Machines: max(1, traces/50), Boots: 5, Builds: 4,
		Series: traces / 50, Circular: traces / 100, Damage: traces * 12 / 1000, Copies: traces / 100, Errors: 18, Differences: 6,
	}
}

// check reports options that contradict each other.
func (o Options) check() error {
	for _, n := range []int{o.Traces, o.Kinds, o.Logs, o.Machines, o.Boots, o.Builds} {
		if n < 1 {
			return errors.New("the numbers of traces, kinds, logs, machines, boots and builds must be at least 1")
		}
	}
	for _, n := range []int{o.Series, o.Circular, o.Damage, o.Copies, o.Errors, o.Differences, o.Sessions, o.Running, o.Renamed, o.Apart} {
		if n < 0 {
			return errors.New("a number is negative")
		}
	}
	if n := (o.Series+o.Sessions)*seriesFiles + o.Circular + o.Damage + 2*o.Copies + o.Running + o.Renamed; n > o.Traces {
		return fmt.Errorf("series, circular, damaged and copied traces need up to %d of the %d traces", n, o.Traces)
	}
	// An error can take two kinds, and one must remain for other events.
	most := func(n int) int { return (n + o.Logs - 1) / o.Logs }
	if n := 2*most(o.Errors) + most(o.Differences) + 1; n > o.Kinds/o.Logs {
		return fmt.Errorf("the errors and differences need up to %d kinds in each log, which has %d", n, o.Kinds/o.Logs)
	}
	return nil
}

// Make makes a folder of traces with [TruthFile] beside them. The folder must not exist, or be
// empty. The same options give the same bytes, for ever. A failure leaves no folder behind.
//
//  1. A plan decides what each trace has: its log, machine, boot, role and what is planted in it.
//  2. Workers write the traces, each file of a series after the one before it.
//  3. The truth is written, and the folder gets its name.
func Make(folder string, o Options) (_ *Truth, err error) {
	if entries, err := os.ReadDir(folder); err == nil && len(entries) > 0 {
		return nil, fmt.Errorf("%s: the folder is not empty", folder)
	} else if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	p, err := makePlan(o)
	if err != nil {
		return nil, err
	}
	temporary := filepath.Clean(folder) + ".partial"
	if err := os.Mkdir(temporary, 0o777); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(temporary))
		}
	}()
	truth, err := p.writeAll(temporary)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(truth)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(temporary, TruthFile), append(text, '\n'), 0o666); err != nil {
		return nil, err
	}
	if err := os.Remove(folder); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	return truth, os.Rename(temporary, folder)
}

// writeAll writes the traces of the plan into a folder.
func (p *plan) writeAll(folder string) (*Truth, error) {
	truth := &Truth{Options: p.options, Machines: p.machines, Errors: p.errors, Differences: p.differences, Traces: make([]Trace, len(p.traces))}
	for _, k := range p.kinds {
		truth.Kinds = append(truth.Kinds, k.truth(p.logs))
	}
	for _, k := range windowsKinds {
		k.Source, k.Fields = "windows", []string{}
		truth.Kinds = append(truth.Kinds, k)
	}
	failed := make([]error, len(p.traces))
	next := make(chan *member)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for m := range next {
				failed[m.index] = p.writeSession(folder, m, truth)
			}
		})
	}
	for _, m := range p.traces {
		if m.place <= 1 && m.original == nil {
			next <- m
		}
	}
	close(next)
	workers.Wait()
	for i := range truth.Traces {
		truth.Events += truth.Traces[i].Events
		truth.Bytes += truth.Traces[i].Bytes
	}
	return truth, errors.Join(failed...)
}

// writeSession writes a trace or the files of a series, and their copies.
func (p *plan) writeSession(folder string, first *member, truth *Truth) error {
	before := 0
	for _, m := range slices.Concat([]*member{first}, first.later) {
		data, t, buffers, err := p.write(m, before)
		if err != nil {
			return err
		}
		before += buffers
		truth.Traces[m.index] = t
		for _, c := range slices.Concat([]*member{m}, m.copies) {
			if c != m {
				t.Path, t.CopyOf = c.path, m.path
				truth.Traces[c.index] = t
			}
			name := filepath.Join(folder, filepath.FromSlash(c.path))
			if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
				return err
			}
			if err := os.WriteFile(name, data, 0o666); err != nil {
				return err
			}
		}
	}
	return nil
}
