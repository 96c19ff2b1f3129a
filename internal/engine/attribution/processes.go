package attribution

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/etl2parquet/etl2parquet/decode"
)

// Ref returns the key of a process, by its index: its id << 32 | the number of earlier processes with
// that id. It is unique in a trace.
func (t *Tables) Ref(process int) int64 {
	id := t.Processes[process].ID
	first := sort.Search(process, func(i int) bool { return t.Processes[i].ID >= id })
	return int64(id)<<32 | int64(process-first)
}

// Parent returns the index of the process that created a process, or -1: the process that had the
// parent's id when it began. Of two processes without a recorded start, only the one that a rundown
// lists first can be the parent: Windows lists processes in the order in which they began.
func (t *Tables) Parent(p *Process) int {
	if !p.HasParent {
		return -1
	}
	i := t.Process(p.Parent, p.From)
	if i < 0 {
		return -1
	}
	if parent := &t.Processes[i]; parent.From < p.From || parent.isListed() && p.isListed() && parent.First < p.First {
		return i
	}
	return -1
}

// isListed reports whether a rundown has the process. Nothing records the process before, except a
// start.
func (p *Process) isListed() bool { return p.Sources&(FromRundownStart|FromRundownEnd) != 0 }

// joinPaths finds the paths of processes whose own events have none: the path of the image that is
// loaded in the process and has its name.
func (t *Tables) joinPaths() {
	images := t.Images
	for from := 0; from < len(t.Processes); {
		to := from + 1
		for to < len(t.Processes) && t.Processes[to].ID == t.Processes[from].ID {
			to++
		}
		id := t.Processes[from].ID
		images = images[sort.Search(len(images), func(i int) bool { return images[i].Process >= id }):]
		n := sort.Search(len(images), func(i int) bool { return images[i].Process > id })
		t.joinPathsOf(t.Processes[from:to], images[:n])
		from = to
	}
}

// mainImage is an image that may be the one of a process. A whole name is better than a cut one.
type mainImage struct {
	process int // in the list of processes with the id
	cut     bool
	image   *Image
}

// joinPathsOf is joinPaths for the processes with one id.
func (t *Tables) joinPathsOf(processes []Process, images []Image) {
	var found []mainImage
	for i := range images {
		m := &images[i]
		name := BaseName(m.Path)
		first, last := ownersOf(processes, m)
		for n, process := range [...]int{first, last} {
			if process < 0 || n == 1 && process == first {
				continue
			}
			p := &processes[process]
			whole := strings.EqualFold(name, p.Name)
			if p.Path == "" && p.Name != "" && (whole || isCutName(p.Name, name)) {
				found = append(found, mainImage{process, !whole, m})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b mainImage) int { return cmp.Or(cmp.Compare(a.process, b.process), compareBool(a.cut, b.cut)) })
	for len(found) > 0 {
		best := found[0]
		n := 1
		for n < len(found) && found[n].process == best.process && found[n].cut == best.cut {
			n++
		}
		processes[best.process].Path = t.mainPath(found[:n])
		for n < len(found) && found[n].process == best.process {
			n++
		}
		found = found[n:]
	}
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// mainPath returns the path of the main image of a process, or "" if the candidates have several
// paths and the trace does not say which was loaded first. A cut name must have one path.
func (t *Tables) mainPath(candidates []mainImage) string {
	first := candidates[0].image
	at, known := loadTime(first)
	alone, tie := true, false
	for _, c := range candidates[1:] {
		if t.samePath(first.Path, c.image.Path) {
			if tellsVolume(c.image.Path, first.Path) {
				first = c.image
			}
			continue
		}
		alone = false
		load, ok := loadTime(c.image)
		known = known && ok
		if load < at {
			first, at, tie = c.image, load, false
		} else {
			tie = tie || load == at
		}
	}
	if !alone && (!known || tie || candidates[0].cut) {
		return ""
	}
	return first.Path
}

// samePath reports whether two paths are of one file. One may lack the volume.
func (t *Tables) samePath(a, b string) bool {
	return strings.EqualFold(a, b) || tellsVolume(a, b) || tellsVolume(b, a) || strings.EqualFold(t.DOSPath(a), t.DOSPath(b))
}

// loadTime returns when an image was loaded. Images that existed when recording began come before all
// others; the order among them is unknown.
func loadTime(m *Image) (at decode.Ticks, known bool) {
	switch {
	case m.Started:
		return m.From, true
	case m.Sources&FromRundownStart != 0:
		return minTicks, true
	}
	return minTicks, false
}

// ownersOf returns which of the processes with an id, in order, had an image, or -1 for none. An image
// that existed when recording began and when it ended may have belonged to the first of them and to
// the last.
func ownersOf(processes []Process, m *Image) (first, last int) {
	at := func(t decode.Ticks) int {
		return find(len(processes), func(i int) bool { return processes[i].From <= t })
	}
	switch {
	case m.Started:
		i := at(m.From)
		if i >= 0 && processes[i].Ended && m.From > processes[i].To {
			i = -1
		}
		return i, i
	case len(processes) == 1:
		return 0, 0
	case m.Ended:
		i := at(m.To)
		return i, i
	}
	first, last = -1, -1
	if m.Sources&FromRundownStart != 0 && !processes[0].Started {
		first = 0
	}
	if end := len(processes) - 1; m.Sources&FromRundownEnd != 0 && !processes[end].Ended {
		last = end
	}
	return first, last
}

// The kernel cuts the names of processes to 14 or 15 letters.
const (
	cutName     = 14
	longCutName = 15
	executable  = ".exe"
)

// isCutName reports whether the name of a process is the start of the name of an image, cut by the
// kernel. Only a name that has lost its extension counts.
func isCutName(process, image string) bool {
	if len(process) != cutName && len(process) != longCutName || len(image) <= len(process) {
		return false
	}
	return strings.EqualFold(image[:len(process)], process) && hasSuffixFold(image, executable) && !hasSuffixFold(process, executable)
}

func hasSuffixFold(text, suffix string) bool {
	return len(text) >= len(suffix) && strings.EqualFold(text[len(text)-len(suffix):], suffix)
}
