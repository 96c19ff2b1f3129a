package answers

// slowness does not matter: there is nothing to look at.
const slowness = 100

// limitData does nothing: the job of the process has the limit.
func limitData(int, int64) {}

// residentSize returns 0: the job of the process limits its memory.
func residentSize(int) int64 { return 0 }
