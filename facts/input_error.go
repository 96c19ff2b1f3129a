package facts

// InputError is the error for an input that cannot be read.
type InputError struct {
	Input string // as it was named or found
	Err   error
}

func (e *InputError) Error() string { return e.Input + ": " + e.Err.Error() }

// Unwrap returns why the input cannot be read.
func (e *InputError) Unwrap() error { return e.Err }
