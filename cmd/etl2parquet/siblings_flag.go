package main

// The values of --siblings.
const (
	autoSiblings = "auto"
	noSiblings   = "off"
)

// siblingsFlag says whether the traces that were recorded together share their facts. They do in commands without it.
type siblingsFlag struct{ choice }

// flags returns the flag, with its default. The help names the examples, such as ", such as x.etl".
func (f *siblingsFlag) flags(examples string) []option {
	f.choice = choice{autoSiblings, []string{autoSiblings, noSiblings}}
	return []option{{flag: "siblings", value: f, usage: "share names among traces of one boot that were recorded together" + examples + ", and descriptions of events among all inputs: auto, or off"}}
}

func (f *siblingsFlag) isAuto() bool { return f.value != noSiblings }
