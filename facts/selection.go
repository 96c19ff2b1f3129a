package facts

// Selection selects events. The zero value selects all. In each list any element may match; an event must match
// one of each list that is not empty. Case does not matter.
type Selection struct {
	// From and To bound the time, from From up to, but not including, To. They apply to tables of events only.
	From TimeBound `json:"from,omitzero"`
	To   TimeBound `json:"to,omitzero"`
	// Providers are patterns of names and GUIDs.
	Providers []string `json:"providers,omitempty"`
	// Events are patterns of any name or id that an event has: see EventNames in package schema.
	Events []string `json:"events,omitempty"`
	// Processes are ids, and patterns of names, with or without .exe.
	Processes []string `json:"processes,omitempty"`
	// Level is the highest level of the events, by name (critical, error, warning, informational,
	// verbose) or number; "" takes all. Events of level 0 are always taken, events without a level,
	// such as the kernel's, only with "".
	Level string `json:"level,omitempty"`
	// Keywords are names of keywords, as the descriptions of the events have them, and masks, decimal or with
	// 0x; an event must have any of their bits.
	Keywords []string `json:"keywords,omitempty"`
}

// IsAll reports whether the selection excludes no event.
func (s *Selection) IsAll() bool { return !s.From.IsSet() && !s.To.IsSet() && !s.ChoosesEvents() }

// ChoosesEvents reports whether something other than the time excludes events.
func (s *Selection) ChoosesEvents() bool {
	return len(s.Providers)+len(s.Events)+len(s.Processes)+len(s.Keywords) > 0 || s.Level != ""
}
