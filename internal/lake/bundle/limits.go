package bundle

// limits say where row groups and files of tables end. They do not depend on the memory
// that there is, so that the output does not either.
type limits struct {
	bundled int64 // the same of a bundle
	large   int64 // uncompressed bytes of a trace whose rows are not all held before they come into a bundle
	held    int64 // encoded bytes of a table of such a trace that are held; beyond, it gets a file of its own
}

var defaultLimits = limits{bundled: 32 << 20, large: 48 << 20, held: 2 << 20}

// outputLimits returns the limits, which are lower in tests only.
func (o *Options) outputLimits() *limits {
	if o.lower != nil {
		return o.lower
	}
	return &defaultLimits
}
