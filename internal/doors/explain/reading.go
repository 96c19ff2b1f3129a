// Package explain explains words found in a registry, a dump or documentation about tracing:
// a hook id, a GUID, flags, bytes that configure a session, the start of an event. An
// ambiguous word has several readings.
package explain

import (
	"fmt"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Reading is one of the meanings of a word.
type Reading struct {
	As      string `json:"as"`      // name of the kind; see KindNames
	Meaning string `json:"meaning"` // in one line
	Facts   []Fact `json:"facts"`
}

// Fact is a detail of a reading.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Facts []Fact `json:"facts,omitempty"` // details of the value
}

// Explanation has all readings of a word; it has none if the word has no known meaning.
type Explanation struct {
	Word     string    `json:"word"`
	Readings []Reading `json:"readings"`
	Nearest  []string  `json:"nearest,omitempty"` // names that may have been meant, without readings
}

// Provider is a provider that a catalogue knows.
type Provider struct {
	GUID   schema.GUID
	Name   string
	Source string // of the name
}

// Explainer explains words.
type Explainer struct {
	Tables []*schema.Table // tables and views, for names
	// Providers returns providers that a catalogue knows in addition to package schema: with
	// a name, in any case, or with a GUID, given as lower-case text. It may be nil.
	Providers func(nameOrGUID string) []Provider
}

// MalformedError means that a word is malformed, or not of the requested kind.
type MalformedError struct {
	Word string
	Err  error
}

func (e *MalformedError) Error() string { return fmt.Sprintf("%.80q: %v", e.Word, e.Err) }

func (e *MalformedError) Unwrap() error { return e.Err }

// kind is a kind of reading. To add one, add a row to kinds.
type kind struct {
	name string
	doc  string
	auto bool // tried if no kind is requested
	// read returns no reading for a word without a meaning of this kind, and an error for a
	// malformed word.
	read func(e *Explainer, w *word) ([]Reading, error)
}

// kinds are all kinds of reading, in the order in which readings are shown.
var kinds = []kind{
	{"hook", "a hook id: group and type of a kernel event", true, readHook},
	{"guid", "a GUID: class, provider or session; also its 16 bytes in memory", true, readGUID},
	{"name", "a name: flag, class, provider, event, table, hook symbol, or any value of a field", true, readName},
	{string(schema.AsHResult), "an HRESULT; only failures, from 0x80000000 on, unless it is requested", true, readStatus(schema.AsHResult)},
	{string(schema.AsNTStatus), "an NTSTATUS, in the same way", true, readStatus(schema.AsNTStatus)},
	{string(schema.AsWin32Error), "a Win32 error", false, readStatus(schema.AsWin32Error)},
	{"kernel-flag", "a PERF_ constant, which has the number of its word in the top three bits", true, readKernelFlag},
	{"enable-flags", "an EnableFlags word, also as a TRACE_ENABLE_FLAG_EXTENSION", true, readEnableFlags},
	{"log-file-mode", "a LogFileMode word", true, readLogFileMode},
	{"header", "the first 8 bytes of an event, or more", true, readHeader},
	{"group-masks", "the words of a PERFINFO_GROUPMASK: EnableKernelFlags of a registry, or the extension of Windows 5.1", true, readGroupMasks},
	{"enable-extension", "the items of a TRACE_ENABLE_FLAG_EXTENSION of Windows 6.0 and later, from their header on", true, readEnableExtension},
	{"profile-counters", "an EVENT_TRACE_PROFILE_COUNTER_INFORMATION", true, readProfileCounters},
	{"reserved-flags", "ReservedFlags of TRACE_LOGFILE_HEADER: the clock", false, readClockType},
}

// Explain returns the readings of a word: of one kind or, if as is "", of all kinds. The error
// is a [MalformedError] if the word is malformed, or not of the requested kind.
func (e *Explainer) Explain(text, as string) (*Explanation, error) {
	w, err := parseWord(text)
	if err != nil {
		return nil, &MalformedError{text, err}
	}
	x := &Explanation{Word: text, Readings: []Reading{}}
	if as != "" {
		k, ok := kindNamed(as)
		if !ok {
			return nil, fmt.Errorf("no kind is called %q", as)
		}
		w.asked = true
		readings, err := k.read(e, w)
		if err != nil {
			return nil, &MalformedError{text, fmt.Errorf("as %s: %w", k.name, err)}
		}
		x.Readings = append(x.Readings, readings...)
		return x, nil
	}
	for i := range kinds {
		if !kinds[i].auto {
			continue
		}
		if readings, err := kinds[i].read(e, w); err == nil { // else it is of another kind
			x.Readings = append(x.Readings, readings...)
		}
	}
	if len(x.Readings) == 0 && w.isName() {
		x.Nearest = texts.Nearest(text, e.names())
	}
	return x, nil
}

// kindNamed returns the kind with a name, which may be that of a table of values.
func kindNamed(name string) (*kind, bool) {
	for i := range kinds {
		if kinds[i].name == name {
			return &kinds[i], true
		}
	}
	values, ok := schema.LookupValues(strings.ReplaceAll(name, "-", "_"))
	if !ok {
		return nil, false
	}
	return &kind{name: values.Name, doc: values.Doc, read: func(_ *Explainer, w *word) ([]Reading, error) { return readValues(values, w) }}, true
}

// CheckKind checks the name of a kind. Its error names similar ones, if there are any.
func CheckKind(name string) error {
	if _, ok := kindNamed(name); ok {
		return nil
	}
	err := fmt.Errorf("no kind is called %q", name)
	if similar := texts.Nearest(name, KindNames()); len(similar) > 0 {
		return fmt.Errorf("%w; %s", err, texts.DidYouMean(similar))
	}
	return fmt.Errorf("%w; \"etl2parquet help explain\" lists them", err)
}
