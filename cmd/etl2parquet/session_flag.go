package main

// The values of --session.
const (
	autoSession = "auto"
	noSession   = "off"
)

// sessionFlag says whether the traces of one recording share their facts.
type sessionFlag struct{ choice }

// flags returns the flag, with its default. The help names the examples, such as ", such as x.etl".
func (f *sessionFlag) flags(examples string) []option {
	f.choice = choice{autoSession, []string{autoSession, noSession}}
	return []option{{flag: "session", value: f, usage: "share names among traces of one boot that were recorded together" + examples + ": auto, or off"}}
}

func (f *sessionFlag) isAuto() bool { return f.value == autoSession }
