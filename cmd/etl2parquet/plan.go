package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/dataset"
)

// plan says which process of several converts which inputs, and how traces are
// called, so that all of them can write one dataset at the same time. Its JSON
// form is stable: fields may be added, none is renamed or changes its meaning.
type plan struct {
	Format int         `json:"format"`
	Tool   string      `json:"tool"` // version that made it
	Shards int         `json:"shards"`
	Inputs []planInput `json:"inputs"` // in their order
}

const planFormat = 1

// planInput is a file: a trace, or an archive.
type planInput struct {
	Input  string      `json:"input"` // as it was named or found, with slashes
	Size   int64       `json:"size"`
	Shard  int         `json:"shard"` // from 0
	Traces []planTrace `json:"traces"`

	weight int64
}

// planTrace is a trace in an input.
type planTrace struct {
	Trace string `json:"trace"`           // name in the dataset
	Entry string `json:"entry,omitempty"` // where it is in an archive
}

// mostShards is far beyond any cluster.
const mostShards = 1 << 20

// What converting costs, in bytes of traces.
const (
	perTrace   = 1 << 20 // however small it is
	compressed = 5       // what archives make of a byte, about, where they do not say
)

func newPlan(shards int, files []input) *plan {
	p := &plan{Format: planFormat, Tool: toolVersion(), Shards: shards}
	for i := range files {
		p.Inputs = append(p.Inputs, planInput{Input: filepath.ToSlash(files[i].name), Size: files[i].size, Traces: []planTrace{}})
	}
	return p
}

// add adds a trace, under the name it is to have.
func (p *plan) add(t *trace, name string) {
	in := &p.Inputs[t.in.order]
	in.Traces = append(in.Traces, planTrace{Trace: name, Entry: strings.TrimPrefix(filepath.ToSlash(t.inner), "/")})
	size := t.size
	if size < 0 {
		size = t.in.size * compressed
	}
	in.weight = min(in.weight+size+perTrace, 1<<50) // archives can say what they want
}

// share gives each input to a shard: the largest first, to the shard that has
// least to do.
func (p *plan) share() {
	p.Inputs = slices.DeleteFunc(p.Inputs, func(in planInput) bool { return len(in.Traces) == 0 })
	order := make([]*planInput, len(p.Inputs))
	for i := range p.Inputs {
		order[i] = &p.Inputs[i]
	}
	slices.SortStableFunc(order, func(a, b *planInput) int { return cmp.Compare(b.weight, a.weight) })
	shards := make(loads, p.Shards)
	for i := range shards {
		shards[i].shard = i
	}
	for _, in := range order { // the least is on top of the heap
		in.Shard = shards[0].shard
		shards.add(in.weight)
	}
}

// loads is a heap of what shards have to do.
type loads []load

type load struct {
	weight int64
	shard  int
}

func (l loads) less(i, j int) bool {
	return cmp.Or(cmp.Compare(l[i].weight, l[j].weight), cmp.Compare(l[i].shard, l[j].shard)) < 0
}

// add adds to the least, and brings the next on top.
func (l loads) add(weight int64) {
	l[0].weight += weight
	for at := 0; ; {
		least := at
		for child := 2*at + 1; child <= 2*at+2 && child < len(l); child++ {
			if l.less(child, least) {
				least = child
			}
		}
		if least == at {
			return
		}
		l[at], l[least] = l[least], l[at]
		at = least
	}
}

// write writes the plan whole or not at all.
func (p *plan) write(path string) error {
	text, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return err
	}
	text = append(text, '\n')
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() { // a pipe, or a device
		return os.WriteFile(path, text, 0o666)
	}
	if err := os.WriteFile(path+partialSuffix, text, 0o666); err != nil {
		return err
	}
	return os.Rename(path+partialSuffix, path)
}

// readPlan reads a plan and checks that it is one.
func readPlan(path string) (*plan, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	p := new(plan)
	decoder := json.NewDecoder(bytes.NewReader(text))
	if err := decoder.Decode(p); err != nil {
		return nil, errors.New("it is not a plan; the command plan writes one")
	}
	if p.Format != planFormat {
		return nil, fmt.Errorf("it is not a plan of this version, whose format is %d, but of format %d: make it again with the command plan", planFormat, p.Format)
	}
	if err := p.check(); err != nil {
		return nil, fmt.Errorf("it is damaged: %w", err)
	}
	return p, nil
}

// check makes sure that shards do not get in each other's way, and that names
// stay in the dataset.
func (p *plan) check() error {
	if p.Shards < 1 || p.Shards > mostShards {
		return fmt.Errorf("%d shards", p.Shards)
	}
	names, inputs := make(map[string]bool), make(map[string]bool)
	for _, in := range p.Inputs {
		if in.Shard < 0 || in.Shard >= p.Shards || inputs[in.Input] {
			return fmt.Errorf("%s is in shard %d, or in two", in.Input, in.Shard)
		}
		inputs[in.Input] = true
		for _, t := range in.Traces {
			folded := strings.ToLower(t.Trace)
			if !dataset.IsTraceName(t.Trace) || names[folded] {
				return fmt.Errorf("%q is no name of a trace, or that of two", t.Trace)
			}
			names[folded] = true
		}
	}
	return nil
}

// shard is a part of a plan.
type shard struct{ index, of int }

// parseShard reads a shard such as 0/4.
func parseShard(text string) (shard, error) {
	first, second, _ := strings.Cut(text, "/")
	index, err1 := strconv.Atoi(first)
	of, err2 := strconv.Atoi(second)
	if err1 != nil || err2 != nil || of < 1 {
		return shard{}, usagef("--shard %s: it must be like 0/4, the first of four", text)
	}
	if index < 0 || index >= of {
		return shard{}, usagef("--shard %s: shards count from 0, here to %d", text, of-1)
	}
	return shard{index, of}, nil
}

// names returns the names of the inputs of a shard.
func (p *plan) names(s shard) []string {
	var names []string
	for i := range p.Inputs {
		if p.Inputs[i].Shard == s.index {
			names = append(names, p.Inputs[i].Input)
		}
	}
	return names
}

// inputs returns the inputs of a shard. Those that are not there, or not what
// they were, are told to fail.
func (p *plan) inputs(s shard, urls map[string]*found, fail func(name string, err error)) *inputs {
	in := &inputs{seen: make(map[string]bool), urls: urls, fail: fail}
	for _, planned := range p.Inputs {
		if planned.Size >= 0 && planned.Size < smallTrace {
			in.small++ // so that each shard decides on bundles as one run would
		}
		if planned.Shard == s.index {
			in.addPlanned(&planned)
		}
	}
	return in
}

func (in *inputs) addPlanned(p *planInput) {
	name := p.Input
	if !isURL(name) {
		name = filepath.FromSlash(name)
	}
	info, size, err := in.look(name)
	switch {
	case err != nil:
		in.failure(name, fmt.Errorf("it is in the plan: %w", pathless(name, err)))
		return
	case size != p.Size:
		in.failure(name, fmt.Errorf("it has %d bytes, and had %d when the plan was made: make the plan again", size, p.Size))
		return
	}
	count, absent := len(in.files), len(in.absent)
	if info == nil {
		in.addRemote(name)
	} else {
		in.addFile(name, info, false)
	}
	switch {
	case len(in.absent) > absent:
		return // it is no file
	case len(in.files) == count:
		in.failure(name, errors.New("it is in the plan twice"))
		return
	}
	file := &in.files[count]
	file.planned = make(map[string]string)
	for _, t := range p.Traces {
		inner := ""
		if t.Entry != "" {
			inner = "/" + t.Entry
		}
		file.planned[inner] = t.Trace
	}
	file.trace = file.planned[""]
}

// look returns the size of a file, and what it is if it is not on a server.
func (in *inputs) look(name string) (fs.FileInfo, int64, error) {
	f := in.urls[name]
	if f == nil {
		info, err := os.Stat(name)
		if err != nil {
			return nil, 0, err
		}
		return info, info.Size(), nil
	}
	switch {
	case f.err != nil:
		return nil, 0, f.err
	case !f.single:
		return nil, 0, errors.New("it is no file")
	}
	return nil, f.files[0].size, nil
}

// planned returns the name that a trace has in the plan.
func (n *traceNames) planned(ctx context.Context, t *trace) (string, error) {
	name := t.in.planned[t.inner]
	if name == "" {
		return "", errors.New("it is not in the plan: make the plan again")
	}
	record, err := n.dataset.Record(ctx, name)
	if err != nil {
		return "", err
	}
	if record != nil && !t.is(record) {
		return "", fmt.Errorf("the plan calls it %s, and so the dataset calls %s: make the plan again, with --dataset", name, record.Input)
	}
	return name, nil
}
