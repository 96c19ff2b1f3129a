package index

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"

	"github.com/etl2parquet/etl2parquet/decode"
)

// recordingBytes is the size of the id of a recording: enough for any number of traces.
const recordingBytes = 8

// RecordingOf returns the id of a recording that begins with a trace: a hash of the facts in the
// trace's header that tell recordings apart. These are the boot of the system, its build and pointer
// size, and the start of the trace in time and in ticks. It returns "" for a trace without a start.
func RecordingOf(h *decode.TraceHeader) string {
	if h.StartTime <= 0 {
		return ""
	}
	var b []byte
	for _, n := range []int64{h.BootTime, int64(h.ProviderVersion), int64(h.PointerSize), h.StartTime, h.EventTicks, h.PerfFreq} {
		b = binary.LittleEndian.AppendUint64(b, uint64(n))
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:recordingBytes])
}
