package facts

// Mismatch is a part of a selection that matches nothing in a trace, such as a provider with a
// misspelt name.
type Mismatch struct {
	Option  string   `json:"option"`            // provider, event, process, table, columns, time; or selection: all of them together
	Pattern string   `json:"pattern,omitempty"` // of an option that has patterns
	Nearest []string `json:"nearest"`           // names in the trace that may have been meant
	Message string   `json:"message"`           // for people
}
