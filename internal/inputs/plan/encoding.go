package plan

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/etl2parquet/etl2parquet/internal/engine/partname"
)

// partialSuffix is added to the name of a plan while it is written.
const partialSuffix = ".partial"

// Write writes the plan whole or not at all.
func (p *Plan) Write(path string) error {
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

// Read reads a plan and checks that it is one.
func Read(path string) (*Plan, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	p := new(Plan)
	decoder := json.NewDecoder(bytes.NewReader(text))
	if err := decoder.Decode(p); err != nil {
		return nil, errors.New("it is not a plan; the command plan writes one")
	}
	if p.Format != format {
		return nil, fmt.Errorf("it is not a plan of this version, whose format is %d, but of format %d: make it again with the command plan", format, p.Format)
	}
	if err := p.check(); err != nil {
		return nil, fmt.Errorf("it is damaged: %w", err)
	}
	return p, nil
}

// check makes sure that no two shards have the same input or trace name, and that names
// are valid in the dataset.
func (p *Plan) check() error {
	if p.Shards < 1 || p.Shards > MaxShards {
		return fmt.Errorf("%d shards", p.Shards)
	}
	names, inputs := make(map[string]bool), make(map[string]bool)
	for _, in := range p.Inputs {
		if in.Shard < 0 || in.Shard >= p.Shards || inputs[in.Input] {
			return fmt.Errorf("%s is in shard %d, or in two", in.Input, in.Shard)
		}
		inputs[in.Input] = true
		for _, t := range in.Traces {
			folded := partname.Fold(t.Trace)
			if !partname.IsOfTrace(t.Trace) || names[folded] {
				return fmt.Errorf("%q is not a name of a trace, or two traces have it", t.Trace)
			}
			names[folded] = true
		}
	}
	return nil
}
