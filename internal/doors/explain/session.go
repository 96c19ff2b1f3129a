package explain

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/session"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Positions in EVENT_TRACE_PROPERTIES and WMI_LOGGER_INFORMATION. Both structures are the same up
// to these fields, for both pointer sizes (evntrace.h, wmistr.h; package session).
const (
	propertiesGUID        = 0x18
	propertiesClock       = 0x28
	propertiesLogFileMode = 0x40
	propertiesEnableFlags = 0x48
	propertiesFixedSize   = 0x78
)

var errNoBytes = errors.New("not a sequence of bytes")

// maxGroupMask is the number of words of a group mask in Windows 5.1, one more than later.
const maxGroupMask = decode.GroupMaskWords + 1

// readGroupMasks reads the words of a group mask, which is also the extension of Windows 5.1.
func readGroupMasks(_ *Explainer, w *word) ([]Reading, error) {
	n := len(w.bytes) / 4
	switch {
	case w.bytes == nil:
		return nil, errNoBytes
	case len(w.bytes)%4 != 0 || n > maxGroupMask:
		return nil, fmt.Errorf("%d bytes; group masks are 1 to %d words of 4 bytes", len(w.bytes), maxGroupMask)
	}
	f, err := session.ParseEnableFlags(behindProperties(w.bytes), 1<<31|uint32(n)<<16|propertiesFixedSize)
	if err != nil {
		return nil, shifted(err)
	}
	if n == 1 {
		return nil, nil // a single word is EnableFlags
	}
	return []Reading{{As: "group-masks", Meaning: fmt.Sprintf("%d words of a PERFINFO_GROUPMASK", n), Facts: enabledFacts(f)}}, nil
}

func readEnableExtension(_ *Explainer, w *word) ([]Reading, error) {
	if w.bytes == nil {
		return nil, errNoBytes
	}
	f, err := session.ParseEnableFlags(behindProperties(w.bytes), 0x80ff0000|propertiesFixedSize)
	if err != nil {
		return nil, shifted(err)
	}
	items := binary.LittleEndian.Uint16(w.bytes[2:])
	return []Reading{{As: "enable-extension", Meaning: fmt.Sprintf("TRACE_ENABLE_FLAG_EXT_HEADER with %d items", items), Facts: enabledFacts(f)}}, nil
}

// behindProperties returns b after an empty fixed part of properties, as an extension is stored.
func behindProperties(b []byte) []byte { return append(make([]byte, propertiesFixedSize), b...) }

// shifted changes the position of an error to the position in the extension.
func shifted(err error) error {
	var at *decode.Error
	if errors.As(err, &at) && at.Pos >= propertiesFixedSize {
		moved := *at
		moved.Pos -= propertiesFixedSize
		return &moved
	}
	return err
}

func readProperties(_ *Explainer, w *word) ([]Reading, error) {
	b := w.bytes
	if b == nil {
		return nil, errNoBytes
	}
	if len(b) < propertiesFixedSize {
		return nil, fmt.Errorf("%#x bytes; EVENT_TRACE_PROPERTIES has at least %#x", len(b), propertiesFixedSize)
	}
	if size := binary.LittleEndian.Uint32(b); int64(size) > int64(len(b)) || size < propertiesFixedSize {
		return nil, fmt.Errorf("Wnode.BufferSize is %#x, and there are %#x bytes", size, len(b))
	}
	flags := binary.LittleEndian.Uint32(b[propertiesEnableFlags:])
	f, err := session.ParseEnableFlags(b, flags)
	if err != nil {
		return nil, err
	}
	mode := binary.LittleEndian.Uint32(b[propertiesLogFileMode:])
	clock := binary.LittleEndian.Uint32(b[propertiesClock:])
	r := Reading{As: "properties", Meaning: "EVENT_TRACE_PROPERTIES or WMI_LOGGER_INFORMATION"}
	r.Facts = []Fact{
		{Name: "session GUID", Value: schema.GUID(b[propertiesGUID : propertiesGUID+16]).String()},
		{Name: "clock", Value: clockText(clock)},
		{Name: "LogFileMode", Value: fmt.Sprintf("%#08x", mode), Facts: bitFacts(uint64(mode), 8, func(bit uint64) string { return known(session.LogFileModeNames(uint32(bit))[0]) })},
		{Name: "EnableFlags", Value: fmt.Sprintf("%#08x", flags)},
	}
	if f.Form != session.EnableFlagsPlain {
		r.Facts = append(r.Facts, Fact{Name: "extension", Value: "TRACE_ENABLE_FLAG_EXTENSION", Facts: enableFlagsReading(flags).Facts})
	}
	r.Facts = append(r.Facts, enabledFacts(f)...)
	return []Reading{r}, nil
}

// clockText names the clock that a session is configured with. Since Windows Vista, none means QPC.
func clockText(clock uint32) string {
	if clock == 0 {
		return "0, the default: " + session.ClockTypeName(uint32(decode.ClockQPC))
	}
	return fmt.Sprintf("%d, %s", clock, session.ClockTypeName(clock))
}

// enabledFacts lists what enable flags select: group masks, or items ordered by type.
func enabledFacts(f *session.EnableFlags) []Fact {
	if f.Form != session.EnableFlagsItems {
		return groupMaskFacts(f)
	}
	var facts []Fact
	add := func(itemType uint16, present bool, of []Fact) {
		if present {
			facts = append(facts, Fact{Name: fmt.Sprintf("item %d", itemType), Value: session.ItemName(itemType), Facts: of})
		}
	}
	add(session.ItemEnableFlags, f.GroupMasks != nil, groupMaskFacts(f))
	add(session.ItemPIDs, f.PIDs != nil, factsOf("process", f.PIDs, func(id uint32) string { return fmt.Sprint(id) }))
	add(session.ItemStackWalkFilter, f.StackWalkHooks != nil,
		factsOf("hook", f.StackWalkHooks, func(hook uint16) string { return fmt.Sprintf("%#04x, %s", hook, hookName(hook)) }))
	add(session.ItemPoolTagFilter, f.PoolTags != nil, factsOf("pool tag", f.PoolTags, session.PoolTag.String))
	if c := f.StackCaching; c != nil {
		add(session.ItemStackCaching, true, []Fact{{Name: "cache size", Value: fmt.Sprint(c.CacheSize)}, {Name: "buckets", Value: fmt.Sprint(c.BucketCount)}})
	}
	for _, item := range f.Unknown {
		facts = append(facts, Fact{Name: fmt.Sprintf("item %d", item.Type), Value: fmt.Sprintf("no known type: %d bytes, %x", len(item.Data), item.Data)})
	}
	return facts
}

func groupMaskFacts(f *session.EnableFlags) (facts []Fact) {
	for word, mask := range f.GroupMasks {
		facts = append(facts, Fact{Name: fmt.Sprintf("group mask %d", word), Value: fmt.Sprintf("%#08x", mask), Facts: maskFacts(word, mask)})
	}
	for i, extra := range f.Extra {
		facts = append(facts, Fact{Name: fmt.Sprintf("word %d", len(f.GroupMasks)+i),
			Value: fmt.Sprintf("%#08x: KernelEventVersion, in the payload of hook 0x0005; in Windows 5.1 of no known meaning", extra)})
	}
	return facts
}

// factsOf returns a row for each value of a list.
func factsOf[T any](name string, list []T, text func(T) string) (facts []Fact) {
	for _, v := range list {
		facts = append(facts, Fact{Name: name, Value: text(v)})
	}
	return facts
}

func readProfileCounters(_ *Explainer, w *word) ([]Reading, error) {
	if w.bytes == nil {
		return nil, errNoBytes
	}
	p, err := session.ParseProfileCounterInformation(w.bytes)
	if err != nil {
		return nil, err
	}
	what := "sets the sources that are sampled"
	if p.Class == session.ProfileCounterListClass {
		what = "sets the counters that are attached to events"
	}
	logger := fmt.Sprint(p.LoggerID())
	if p.LoggerID() == session.KernelLoggerID {
		logger = "0xffff, the NT Kernel Logger"
	}
	r := Reading{As: "profile-counters", Meaning: "EVENT_TRACE_PROFILE_COUNTER_INFORMATION, " + what}
	r.Facts = []Fact{
		{Name: "class", Value: fmt.Sprintf("%#x, %s", uint32(p.Class), p.Class)},
		{Name: "trace handle", Value: fmt.Sprintf("%#x", p.TraceHandle)},
		{Name: "logger id", Value: logger},
	}
	for _, s := range p.Sources {
		r.Facts = append(r.Facts, Fact{Name: "source", Value: fmt.Sprintf("%#x, %s", uint32(s), s)})
	}
	return []Reading{r}, nil
}
