package plan

import (
	"path/filepath"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/inputs"
)

// Plan assigns inputs to several processes and names their traces, so that the processes
// can write one dataset at the same time. Its JSON form is stable: fields may be added,
// but none is renamed or changes its meaning.
type Plan struct {
	Format int    `json:"format"`
	Tool   string `json:"tool"` // version that made it
	Shards int    `json:"shards"`
	Inputs []File `json:"inputs"` // in their order

	groups int // made by Together
}

const format = 1

// File is an input: a trace, or an archive.
type File struct {
	Input  string  `json:"input"` // as it was named or found, with slashes
	Size   int64   `json:"size"`
	Shard  int     `json:"shard"` // from 0
	Traces []Trace `json:"traces"`

	weight int64
	group  int // inputs of one group go to one shard; 0 means no group
}

// Trace is a trace in an input.
type Trace struct {
	Trace string `json:"trace"`           // name in the dataset
	Entry string `json:"entry,omitempty"` // its path in an archive
}

// MaxShards exceeds any cluster.
const MaxShards = 1 << 20

// The cost of a conversion, in bytes of traces.
const (
	perTrace   = 1 << 20 // added for each trace
	compressed = 5       // assumed ratio of archives that do not state sizes
)

// New returns a plan for a number of shards, made by a version of the tool. It has all
// the files, but none of their traces yet.
func New(shards int, tool string, files []*inputs.File) *Plan {
	p := &Plan{Format: format, Tool: tool, Shards: shards}
	for _, f := range files {
		p.Inputs = append(p.Inputs, File{Input: filepath.ToSlash(f.Name), Size: f.Size, Traces: []Trace{}})
	}
	return p
}

// Add adds a trace of one of the files, with its name in the dataset.
func (p *Plan) Add(t *inputs.Trace, name string) {
	in := &p.Inputs[t.File.Order]
	in.Traces = append(in.Traces, Trace{Trace: name, Entry: strings.TrimPrefix(filepath.ToSlash(t.Inner), "/")})
	size := t.Size
	if size < 0 {
		size = t.File.Size * compressed
	}
	in.weight = min(in.weight+size+perTrace, 1<<50) // archives can claim any size
}

// Together assigns inputs, and the groups that they already belong to, to one shard, because
// traces in them are of one session and need each other.
func (p *Plan) Together(files []*inputs.File) {
	p.groups++
	group := p.groups
	joined := make(map[int]bool)
	for _, f := range files {
		if in := &p.Inputs[f.Order]; in.group != 0 {
			joined[in.group] = true
		} else {
			in.group = group
		}
	}
	for i := range p.Inputs {
		if joined[p.Inputs[i].group] {
			p.Inputs[i].group = group
		}
	}
}

// Names returns the names of the inputs of a shard.
func (p *Plan) Names(s Shard) []string {
	var names []string
	for i := range p.Inputs {
		if p.Inputs[i].Shard == s.Index {
			names = append(names, p.Inputs[i].Input)
		}
	}
	return names
}

// Find finds the inputs of a shard. Inputs that do not exist or have changed are
// reported to fail.
func (p *Plan) Find(s Shard, urls inputs.URLs, fail func(name string, err error)) *inputs.List {
	var files []inputs.Planned
	small := 0
	for i := range p.Inputs {
		in := &p.Inputs[i]
		if in.Size >= 0 && in.Size < inputs.SmallTrace {
			small++ // so that each shard decides on bundles as one run would
		}
		if in.Shard == s.Index {
			files = append(files, inputs.Planned{Name: in.Input, Size: in.Size, Traces: in.names()})
		}
	}
	list := inputs.FindPlanned(files, urls, fail)
	list.Small = small
	return list
}

// names returns the names of the traces by their paths in the file.
func (in *File) names() map[string]string {
	names := make(map[string]string)
	for _, t := range in.Traces {
		inner := ""
		if t.Entry != "" {
			inner = "/" + t.Entry
		}
		names[inner] = t.Trace
	}
	return names
}
