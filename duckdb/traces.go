package main

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/etl2parquet/etl2parquet/internal/engine/partname"
	"github.com/etl2parquet/etl2parquet/internal/inputs/archive"
)

// traces are the traces of a call of a function: those in its inputs.
type traces struct {
	inputs       []input
	descriptions descriptions
	ignore       bool              // inputs that cannot be read are skipped
	skipped      []unread          // those skipped so far
	opened       []bool            // by input: it was opened when the call was bound
	names        map[string]string // of the traces, by their paths

	mu     sync.Mutex
	pinned map[*input]*held // those that stay open from binding to reading
}

// find reads the arguments that name files, and finds the inputs.
func (t *traces) find(a arguments) error {
	paths, err := a.texts(pathParameter)
	if err != nil {
		return err
	}
	d := &t.descriptions
	for name, to := range map[string]*[]string{manifestParameter: &d.manifests, tmfParameter: &d.tmf, catalogParameter: &d.catalogs} {
		if *to, err = a.texts(name); err != nil {
			return err
		}
	}
	doors, err := a.doors()
	if err != nil {
		return err
	}
	if err := d.admit(doors); err != nil {
		return err
	}
	d.stamp()
	if t.inputs, t.skipped, err = findInputs(paths, doors); err != nil {
		return err
	}
	if err := joined(t.skipped); err != nil && !(t.ignore && len(t.inputs) > 0) {
		return t.hint(err)
	}
	return nil
}

// hint adds the option that skips inputs to the error of one among several.
func (t *traces) hint(err error) error {
	if t.ignore || len(t.inputs)+len(t.skipped) < 2 {
		return err
	}
	return fmt.Errorf("%w (%s := true skips what cannot be read)", err, ignoreErrorsParameter)
}

// each opens the inputs, one after another, until enough returns true, and visits them.
func (t *traces) each(visit func(h *held) error, enough func() bool) error {
	t.pinned = make(map[*input]*held)
	var paths []string
	for i := range t.inputs {
		in := &t.inputs[i]
		if enough() && !t.hasArchives(i) {
			paths = append(paths, in.Path)
			continue
		}
		h, err := in.open(&t.descriptions)
		if err = t.readable(in, h, err); err != nil {
			return err
		}
		t.opened = append(t.opened, true)
		if h == nil {
			continue
		}
		for _, trace := range h.traces {
			paths = append(paths, trace.path)
		}
		err = visit(h)
		if openInputs.hasRoom() {
			t.pinned[in] = h
		} else {
			openInputs.release(h)
		}
		if err != nil {
			return err
		}
	}
	t.names = make(map[string]string)
	for i, name := range partname.OfTraces(paths) {
		t.names[paths[i]] = name
	}
	return nil
}

// hasArchives reports whether an input from number i on may have traces whose names are unknown until
// it is opened.
func (t *traces) hasArchives(i int) bool {
	return slices.ContainsFunc(t.inputs[i:], func(in input) bool { return !in.isLocal() || !archive.TraceName(in.Name) })
}

// readable returns an error if an input could not be opened, or an entry of it cannot be read, unless
// that is ignored.
func (t *traces) readable(in *input, h *held, err error) error {
	var of descriptionError
	switch {
	case err == nil && len(h.failed) == 0:
		return nil
	case err != nil && (!t.ignore || errors.As(err, &of)):
		return t.hint(err)
	case err != nil:
		t.skip(unread{in.Name, errors.Unwrap(err)})
		return nil
	case t.ignore:
		t.skip(h.failed...)
		return nil
	}
	err = joined(h.failed)
	openInputs.release(h)
	return fmt.Errorf("%w (%s := true skips what cannot be read)", err, ignoreErrorsParameter)
}

func (t *traces) skip(list ...unread) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.skipped = append(t.skipped, list...)
}

// take opens an input for reading; it is kept from binding, or opened again. nil means that it is
// skipped.
func (t *traces) take(in *input) (*held, error) {
	t.mu.Lock()
	h := t.pinned[in]
	delete(t.pinned, in)
	t.mu.Unlock()
	if h != nil && !h.changed() && in.unchanged() == nil {
		return h, nil
	}
	if h != nil {
		openInputs.release(h)
	}
	h, err := in.open(&t.descriptions)
	if err = t.readable(in, h, err); err != nil {
		return nil, err
	}
	return h, nil
}

// nameOf returns the name of a trace.
func (t *traces) nameOf(of *heldTrace) string {
	if name := t.names[of.path]; name != "" {
		return name
	}
	return partname.Hashed(of.path) // of an archive that does not look like one
}

// unpin releases the inputs that no scan has taken.
func (t *traces) unpin() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for in, h := range t.pinned {
		openInputs.release(h)
		delete(t.pinned, in)
	}
}
