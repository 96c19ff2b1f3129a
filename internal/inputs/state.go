package inputs

import "time"

// State is the progress of a run at one moment.
type State struct {
	After           time.Duration // since the start of the run
	Done, Files     int           // files
	Traces, Failed  int
	Bytes, AllBytes int64
	Events          int64
	Stream          bool     // AllBytes is only what is known so far
	Current         []string // traces being read, in the order of their start; not nil
}

// Fraction returns how much of the known bytes is done, from 0 to 1.
func (s *State) Fraction() float64 { return fraction(s.Bytes, s.AllBytes) }

func fraction(part, whole int64) float64 {
	if whole <= 0 {
		return 0
	}
	return min(1, float64(part)/float64(whole))
}

// PerSecond returns the rate at which n things were done.
func (s *State) PerSecond(n int64) float64 { return float64(n) / max(s.After.Seconds(), 1e-3) }

// Remaining estimates the time left; ok is false while it cannot be estimated.
func (s *State) Remaining() (rest time.Duration, ok bool) {
	f := s.Fraction()
	if s.After < time.Second || f < 0.01 || s.Stream {
		return 0, false
	}
	return time.Duration(float64(s.After) * (1 - f) / f), true
}
