package main

import (
	"fmt"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
)

// optionFlags are the flags of convert that set the options of a commit record.
var optionFlags = map[bundle.Option]string{
	bundle.OptionPayload: "payload", bundle.OptionMessages: "messages", bundle.OptionFields: "fields", bundle.OptionMaxTables: "max-tables", bundle.OptionCompression: "compression", bundle.OptionUnsigned: "unsigned",
	bundle.OptionFrom: "from", bundle.OptionTo: "to", bundle.OptionProviders: "provider", bundle.OptionEvents: "event", bundle.OptionProcesses: "process", bundle.OptionLevel: "level", bundle.OptionKeywords: "keyword", bundle.OptionTables: "table", bundle.OptionColumns: "columns", bundle.OptionNeeds: "table",
	bundle.OptionManifests: "manifest", bundle.OptionTMF: "tmf", bundle.OptionCatalogs: "catalog", bundle.OptionSymbols: "symbols",
}

// maxValues bounds the values of a flag that a message lists.
const maxValues = 5

// differentText is the message for a trace that was converted before with other flags.
func differentText(e *bundle.DifferentError) string {
	var with, without, asked, notAsked []string
	for _, d := range e.Differences {
		flag := "--" + optionFlags[d.Option]
		switch d.Option {
		case bundle.OptionManifests, bundle.OptionTMF, bundle.OptionCatalogs, bundle.OptionSymbols:
			with = append(with, flagValues(flag, d.Had))
			notAsked = append(notAsked, flagValues(flag, d.Had))
			continue
		case bundle.OptionColumns:
			d.Had, d.Asked = oneList(d.Had), oneList(d.Asked)
		case bundle.OptionFields:
			d.Had, d.Asked = fieldsWords[d.Had[0]], fieldsWords[d.Asked[0]]
		}
		if len(d.Had) > 0 {
			with = append(with, flagValues(flag, d.Had))
		} else {
			without = append(without, flag)
		}
		if len(d.Asked) > 0 {
			asked = append(asked, flagValues(flag, d.Asked))
		} else {
			notAsked = append(notAsked, flag)
		}
	}
	return fmt.Sprintf("converted before %s; this run asks for %s: use --force to replace it, or another -o",
		listed("with ", with, "without ", without), listed("", asked, "no ", notAsked))
}

// fieldsWords are the values of --fields, by the value in the commit record.
var fieldsWords = map[string][]string{"true": {"json"}, "false": {"none"}}

// listed joins two lists, each introduced by a word; either may be empty.
func listed(word string, list []string, otherWord string, others []string) string {
	var parts []string
	if len(list) > 0 {
		parts = append(parts, word+strings.Join(list, ", "))
	}
	if len(others) > 0 {
		parts = append(parts, otherWord+strings.Join(others, ", "))
	}
	return strings.Join(parts, " and ")
}

// oneList joins values into one value of a flag that takes a list.
func oneList(values []string) []string {
	if len(values) == 0 {
		return nil
	}
	return []string{strings.Join(values, ",")}
}

// flagValues repeats a flag with each value, up to maxValues.
func flagValues(flag string, values []string) string {
	var words []string
	for _, value := range values[:min(len(values), maxValues)] {
		words = append(words, flag+" "+texts.ShellWord(value))
	}
	if n := len(values) - maxValues; n > 0 {
		words = append(words, fmt.Sprintf("and %d more", n))
	}
	return strings.Join(words, " ")
}
