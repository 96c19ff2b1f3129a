package etl2parquet

// OptionError is the error of an option's value. Callers name the option in their own terms before
// the error: a command by its flag, a function by its parameter.
type OptionError struct {
	Option string // manifest, tmf, catalog, provider, event, process, table, columns, from or to
	Err    error
}

func (e *OptionError) Error() string { return e.Option + ": " + e.Err.Error() }

// Unwrap returns what is wrong with the value.
func (e *OptionError) Unwrap() error { return e.Err }
