package info

import "github.com/etl2parquet/etl2parquet/facts"

// document is the description of a trace as JSON, with flags of etl2parquet in place of options of
// the library. The members from decoding on are in the order of the description.
type document struct {
	*facts.Info
	Decoding     *decoding       `json:"decoding"`
	ProviderPDBs []facts.PDB     `json:"provider_pdbs"`
	Problems     []facts.Problem `json:"problems"`
	Siblings     []string        `json:"siblings,omitempty"`
}

// decoding is the member of a document with the providers whose payloads are not all whole.
type decoding struct {
	*facts.Decoding
	Providers []providerDecoding `json:"providers"`
	Unlisted  int                `json:"unlisted_providers"`
	PDBs      []facts.PDB        `json:"provider_pdbs"`
}

// providerDecoding is one of these providers.
type providerDecoding struct {
	*facts.ProviderDecoding
	Help    []help             `json:"help"`
	InParts []facts.PartlyRead `json:"in_part"`
}

// help is a kind of file that would describe events, with the flag that takes it.
type help struct {
	Flag   string         `json:"flag"`
	Kind   facts.HelpFile `json:"kind"`
	Events int64          `json:"events"`
}

func documentsOf(traces []*facts.Info) (list []document) {
	for _, t := range traces {
		list = append(list, document{t, decodingOf(t.Decoding), t.ProviderPDBs, t.Problems, t.Siblings})
	}
	return list
}

func decodingOf(d *facts.Decoding) *decoding {
	to := &decoding{d, []providerDecoding{}, d.Unlisted, d.PDBs}
	for i := range d.Providers {
		p := &d.Providers[i]
		files := []help{}
		for _, h := range p.Help {
			files = append(files, help{"--" + h.Option, h.Kind, h.Events})
		}
		to.Providers = append(to.Providers, providerDecoding{p, files, p.InParts})
	}
	return to
}
