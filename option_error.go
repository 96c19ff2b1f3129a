package etl2parquet

// OptionError is the error of an option's value. Programs put their own word for the option before
// the error: a command its flag, a function its parameter.
type OptionError struct {
	Option string // manifest, tmf, catalog, provider, event, process, table, columns, from or to
	Err    error
}

func (e *OptionError) Error() string { return e.Option + ": " + e.Err.Error() }

// Unwrap returns what is wrong with the value.
func (e *OptionError) Unwrap() error { return e.Err }
