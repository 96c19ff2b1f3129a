package catalog

import (
	"fmt"

	"github.com/etl2parquet/etl2parquet/decode/manifest"
	"github.com/etl2parquet/etl2parquet/decode/mof"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Events returns the events of a provider. If several files have an id and version, the first file
// wins. The caller must not change the events.
func (s *Files) Events(provider schema.GUID) []manifest.Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	if events, known := s.events[provider]; known {
		return events
	}
	type key struct {
		id      uint16
		version uint8
	}
	type found struct {
		at   int // in events
		file *schemaFile
	}
	var events []manifest.Event
	seen := make(map[key]found)
	for _, f := range s.of[provider] {
		s.parse(f)
		if f.manifest == nil {
			continue
		}
		for i := range f.manifest.Providers {
			p := &f.manifest.Providers[i]
			if p.GUID != provider {
				continue
			}
			for _, ev := range p.Events {
				k := key{ev.ID, ev.Version}
				had, is := seen[k]
				switch {
				case !is:
					seen[k] = found{len(events), f}
					events = append(events, ev)
					s.found(ev.Schema, f)
				case had.file != f && (!sameFields(events[had.at].Fields, ev.Fields) || events[had.at].MessageText != ev.MessageText):
					s.conflict(had.file, f, fmt.Sprintf("event %d, version %d, of %s", ev.ID, ev.Version, p.Name))
				}
			}
		}
	}
	if len(s.of[provider]) > 0 {
		s.events[provider] = events
	}
	return events
}

// found records the file of a schema.
func (s *Files) found(of *schema.Schema, in *schemaFile) {
	if s.from == nil {
		s.from = make(map[*schema.Schema]*schemaFile)
	}
	s.from[of] = in
}

// knownFrom returns where a schema that Events or Classic has returned is.
func (s *Files) knownFrom(of *schema.Schema) KnownFrom {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.from[of].knownFrom()
}

// Classic returns the events of a class. If several files have a type and version, the first file
// wins. The caller must not change the events.
func (s *Files) Classic(class schema.GUID) []mof.Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	if events, known := s.classic[class]; known {
		return events
	}
	type key struct {
		id         uint16
		version    uint8
		anyVersion bool
	}
	type found struct {
		at   int // in events
		file *schemaFile
	}
	var events []mof.Event
	seen := make(map[key]found)
	for _, f := range s.of[class] {
		s.parse(f)
		if f.classes == nil {
			continue
		}
		for _, ev := range f.classes.Events {
			if ev.GUID != class {
				continue
			}
			k := key{ev.ID, ev.Version, ev.AnyVersion}
			had, is := seen[k]
			switch {
			case !is:
				seen[k] = found{len(events), f}
				events = append(events, ev)
				s.found(ev.Schema, f)
			case had.file != f && !sameFields(events[had.at].Fields, ev.Fields):
				s.conflict(had.file, f, fmt.Sprintf("type %d, version %d, of %s", ev.ID, ev.Version, ev.Class))
			}
		}
	}
	if len(s.of[class]) > 0 {
		s.classic[class] = events
	}
	return events
}
