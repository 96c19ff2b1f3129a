package index

import (
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/redact"
)

// Found returns the problems that are known so far, for people: with names replaced if Mask is set.
func (x *Index) Found() []facts.Problem {
	list := x.Problems.All()
	if x.Mask != nil {
		for i := range list {
			list[i].Message, list[i].Field = x.Mask.Text(list[i].Message), x.Mask.Text(list[i].Field)
		}
	}
	return list
}

// FirstDamage returns the first error among the problems as text, in the same way, or "".
func (x *Index) FirstDamage() string { return x.masked(redact.Text, x.Problems.FirstDamage()) }

// ComputerName returns Computer, or its pseudonym if Mask is set.
func (x *Index) ComputerName() string { return x.masked(redact.Hosts, x.Computer) }

func (x *Index) masked(of redact.Class, text string) string {
	if x.Mask == nil {
		return text
	}
	return string(x.Mask.Append(nil, of, text))
}

// mask replaces the names in a summary. Its file is the caller's.
func (x *Index) mask(s *facts.Info) {
	if x.Mask == nil {
		return
	}
	texts := []*string{&s.SessionName, &s.LogFileName}
	for i := range s.ProviderPDBs {
		texts = append(texts, &s.ProviderPDBs[i].Name)
	}
	for i := range s.Decoding.PDBs {
		texts = append(texts, &s.Decoding.PDBs[i].Name)
	}
	for _, text := range texts {
		*text = x.Mask.Text(*text)
	}
}
