package explain

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/session"
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
	var masks []uint32
	for b := w.bytes; len(b) > 0; b = b[4:] {
		masks = append(masks, binary.LittleEndian.Uint32(b))
	}
	if n == 1 {
		return nil, nil // a single word is EnableFlags
	}
	return []Reading{{As: "group-masks", Meaning: fmt.Sprintf("%d words of a PERFINFO_GROUPMASK", n), Facts: groupMaskFacts(masks)}}, nil
}

func readEnableExtension(_ *Explainer, w *word) ([]Reading, error) {
	if w.bytes == nil {
		return nil, errNoBytes
	}
	f, err := session.ParseEnableExtension(w.bytes)
	if err != nil {
		return nil, err
	}
	items := binary.LittleEndian.Uint16(w.bytes[2:])
	return []Reading{{As: "enable-extension", Meaning: fmt.Sprintf("TRACE_ENABLE_FLAG_EXT_HEADER with %d items", items), Facts: enabledFacts(f)}}, nil
}

// enabledFacts lists the items of an extension, ordered by type.
func enabledFacts(f *session.EnableFlags) (facts []Fact) {
	add := func(itemType uint16, present bool, of []Fact) {
		if present {
			facts = append(facts, Fact{Name: fmt.Sprintf("item %d", itemType), Value: session.ItemName(itemType), Facts: of})
		}
	}
	add(session.ItemEnableFlags, f.GroupMasks != nil, groupMaskFacts(f.GroupMasks))
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

func groupMaskFacts(masks []uint32) (facts []Fact) {
	for word, mask := range masks {
		if word < decode.GroupMaskWords {
			facts = append(facts, Fact{Name: fmt.Sprintf("group mask %d", word), Value: fmt.Sprintf("%#08x", mask), Facts: maskFacts(word, mask)})
			continue
		}
		facts = append(facts, Fact{Name: fmt.Sprintf("word %d", word),
			Value: fmt.Sprintf("%#08x: KernelEventVersion, in the payload of hook 0x0005; in Windows 5.1 of no known meaning", mask)})
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
