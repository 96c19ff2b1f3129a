package explain

import (
	"fmt"
	"math/bits"

	"github.com/etl2parquet/etl2parquet/decode/session"
	"github.com/etl2parquet/etl2parquet/schema"
)

// bitFacts returns a row for each bit that is set, with its name.
func bitFacts(word uint64, digits int, name func(bit uint64) string) (facts []Fact) {
	for ; word != 0; word &= word - 1 {
		bit := word & -word
		facts = append(facts, Fact{Name: fmt.Sprintf("%#0*x", digits, bit), Value: name(bit)})
	}
	return facts
}

// known returns the name of a bit, or a remark if tables have only a number for it.
func known(name string) string {
	if name == "" || name[0] == '0' {
		return "no known name"
	}
	return name
}

func readEnableFlags(_ *Explainer, w *word) ([]Reading, error) {
	return w.eachNumber(32, func(n uint64) (Reading, bool) { return enableFlagsReading(uint32(n)), true })
}

func enableFlagsReading(flags uint32) Reading {
	r := Reading{As: "enable-flags", Meaning: fmt.Sprintf("%#08x, EnableFlags of a kernel session: no events are selected", flags)}
	if flags != 0 {
		r.Meaning = fmt.Sprintf("%#08x, EnableFlags of a kernel session: %d flags", flags, bits.OnesCount32(flags))
	}
	x, ok := session.ParseEnableFlagExtension(flags)
	if !ok {
		r.Facts = maskFacts(0, flags)
		return r
	}
	r.Meaning = fmt.Sprintf("%#08x, TRACE_ENABLE_FLAG_EXTENSION: the flags are elsewhere in the session's properties", flags)
	form := fmt.Sprintf("%d words, group masks (Windows 5.1)", x.Length)
	if x.HasItems() {
		form = "items (Windows 6.0 and later)"
	}
	r.Facts = []Fact{
		{Name: "Offset", Value: fmt.Sprintf("%#x, bytes from the start of the properties", x.Offset)},
		{Name: "Length", Value: fmt.Sprintf("%#x: %s", x.Length, form)},
		{Name: "Flag", Value: fmt.Sprintf("%#x", x.Flag)},
	}
	return r
}

// maskFacts names the bits of a word of a group mask.
func maskFacts(word int, mask uint32) []Fact {
	return bitFacts(uint64(mask), 8, func(bit uint64) string { return known(maskName(word, uint32(bit))) })
}

// maskName names a bit of a group mask.
func maskName(word int, bit uint32) string {
	masks := make([]uint32, word+1)
	masks[word] = bit
	return session.GroupMaskNames(masks)[0]
}

// The PERF_ constants of NTWMI.H have the number of the word in the bits above the flag.
const (
	wordShift = 29
	bitMask   = 1<<wordShift - 1
)

func readKernelFlag(_ *Explainer, w *word) ([]Reading, error) {
	return w.eachNumber(32, func(n uint64) (Reading, bool) {
		word, bit := int(n>>wordShift), uint32(n&bitMask)
		if word == 0 || bits.OnesCount32(bit) != 1 || known(maskName(word, bit)) != maskName(word, bit) {
			return Reading{}, false
		}
		return kernelFlagReading("kernel-flag", word, bit), true
	})
}

// kernelFlagReading explains a flag of the kernel logger.
func kernelFlagReading(as string, word int, bit uint32) Reading {
	name := maskName(word, bit)
	r := Reading{As: as, Meaning: fmt.Sprintf("%s, a flag of the kernel logger", name)}
	where := "EnableFlags, word 0 of the group mask"
	if word > 0 {
		where = fmt.Sprintf("word %d of the group mask", word)
		r.Facts = append(r.Facts, Fact{Name: "constant", Value: fmt.Sprintf("%#08x: the word in the top three bits", uint32(word)<<wordShift|bit)})
	}
	r.Facts = append(r.Facts, Fact{Name: "bit", Value: fmt.Sprintf("%#08x of %s", bit, where)})
	for _, event := range enabledEvents(name) {
		r.Facts = append(r.Facts, Fact{Name: "enables", Value: event})
	}
	return r
}

func readLogFileMode(_ *Explainer, w *word) ([]Reading, error) {
	return w.eachNumber(32, func(n uint64) (Reading, bool) {
		r := Reading{As: "log-file-mode", Meaning: fmt.Sprintf("%#08x, LogFileMode: EVENT_TRACE_FILE_MODE_NONE", n)}
		if n != 0 {
			r.Meaning = fmt.Sprintf("%#08x, LogFileMode: %d modes", n, bits.OnesCount64(n))
		}
		r.Facts = bitFacts(n, 8, func(bit uint64) string { return known(session.LogFileModeNames(uint32(bit))[0]) })
		return r, true
	})
}

func readClockType(_ *Explainer, w *word) ([]Reading, error) {
	return w.eachNumber(32, func(n uint64) (Reading, bool) {
		name := session.ClockTypeName(uint32(n))
		return Reading{As: "reserved-flags", Meaning: fmt.Sprintf("%d, clock %s", n, name)}, known(name) == name
	})
}

// readValues reads a number by a table of values.
func readValues(v *schema.Values, w *word) ([]Reading, error) {
	return w.eachNumber(64, func(n uint64) (Reading, bool) {
		r := Reading{As: v.Name, Meaning: fmt.Sprintf("%#x, %s", n, v.Text(n))}
		if v.Flags && n != 0 {
			r.Meaning = fmt.Sprintf("%#x, %d flags", n, bits.OnesCount64(n))
			r.Facts = bitFacts(n, 8, func(bit uint64) string { return known(v.Text(bit)) })
		}
		r.Facts = append(r.Facts, Fact{Name: "of", Value: v.Doc}, Fact{Name: "source", Value: v.Ref})
		return r, v.Text(n) != ""
	})
}
