package bundle

// limits determine where row groups and files of tables end. They do not depend on the
// available memory, so neither does the output.
type limits struct {
	bundled int64 // the same for a bundle
	large   int64 // uncompressed bytes from which a trace is too large to hold all its rows before it is added to a bundle
	held    int64 // encoded bytes up to which a table of such a trace is held; beyond, it gets a file of its own
}

var defaultLimits = limits{bundled: 32 << 20, large: 48 << 20, held: 2 << 20}

// outputLimits returns the limits, which are lower in tests only.
func (o *Options) outputLimits() *limits {
	if o.lower != nil {
		return o.lower
	}
	return &defaultLimits
}
