package decode

// HookCounterConfig is the hook that names the performance counters whose values events carry
// (PERFINFO_LOG_TYPE_PMC_CONFIG; MOF class PmcCounterConfig_V2; not seen in a trace).
const HookCounterConfig = 0x0F30

// ParseCounterNames reads the payload of [HookCounterConfig]: the number of names
// (u32), and the names in UTF-16, each with a NUL. The names are in the order of
// the values; tools sort them before they configure a session.
func ParseCounterNames(p []byte) ([]string, error) {
	const where = "PmcCtrConfig"
	if len(p) < 4 {
		return nil, BlobError(0, where+".CounterCount", ErrTruncated, "the payload has %d bytes", len(p))
	}
	n, rest := le.Uint32(p), p[4:]
	if uint64(n) > uint64(len(rest)/2) {
		return nil, BlobError(0, where+".CounterCount", ErrCorrupt, "%d names do not fit in %d bytes", n, len(rest))
	}
	var names []string
	for range n {
		if len(rest) < 2 {
			return nil, BlobError(len(p), where+".CounterName", ErrTruncated, "only %d of %d names", len(names), n)
		}
		var name string
		name, rest = cutUTF16(rest)
		names = append(names, name)
	}
	return names, nil
}
