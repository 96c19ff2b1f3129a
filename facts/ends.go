package facts

// Ends are what the head of a trace does not say about its place among others.
type Ends struct {
	FirstSequence int64   // the lowest number of the buffers after the first; 0 if there are none
	Last          int64   // FILETIME of the last event; 0 if there is none
	Rundown       bool    // it only has records of what existed
	Steps         []int64 // by which the system's clock was set, in units of FILETIME, as events state
}
