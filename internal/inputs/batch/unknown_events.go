package batch

import "fmt"

// unknownEvents are the events of skipped traces that nothing described when they were converted.
type unknownEvents struct {
	of        []*Result         // skipped, with such events
	describes map[string]string // by provider or class: the first trace that describes its events
}

// add adds a result that is no error, in the order of the inputs.
func (u *unknownEvents) add(r *Result) {
	for _, id := range r.Report.Describes {
		if u.describes == nil {
			u.describes = make(map[string]string)
		}
		if _, known := u.describes[id]; !known {
			u.describes[id] = r.Name
		}
	}
	if r.Report.Skipped && r.Report.Unknown != nil {
		u.of = append(u.of, r)
	}
}

// tell calls warn for each trace whose events another one describes now.
func (u *unknownEvents) tell(warn func(name string, err error)) {
	for _, r := range u.of {
		for _, id := range r.Report.Unknown {
			if from := u.describes[id]; from != "" {
				warn(r.Name, fmt.Errorf("skipped, although %s describes events of %s now, which are bytes in the dataset: force its conversion to have their fields", from, id))
				break
			}
		}
	}
}
