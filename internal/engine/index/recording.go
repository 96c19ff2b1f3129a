package index

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/etl2parquet/etl2parquet/decode"
)

// Place is where a trace stands among the traces of a run.
type Place struct {
	Session   string  `json:"session"`      // id of the session that wrote it; "" if the trace has no start
	File      int64   `json:"session_file"` // its place among the files of the session; 0 if that is unknown
	Recording string  `json:"recording"`    // id of the sessions that were recorded together; "" like Session
	Others    bool    `json:"-"`            // the run has other traces of the session or the recording
	Earlier   Earlier `json:"earlier"`
}

// Earlier is the file before a trace in a series of files that one session wrote. The counters of
// losses continue from file to file. The zero value means that it is not among the inputs.
type Earlier struct {
	Known       bool   `json:"known,omitempty"`
	EventsLost  uint32 `json:"events_lost,omitempty"`
	BuffersLost uint32 `json:"buffers_lost,omitempty"`
	End         int64  `json:"end,omitempty"` // FILETIME
}

// PlaceOf returns the place of a trace alone.
func PlaceOf(h *decode.TraceHeader) Place {
	return Place{Session: SessionOf(h), File: FileNumber(h), Recording: RecordingOf(h)}
}

// FileNumber returns the place of a file in its session: in a series the last number in the name of
// the file, as far as the trace alone says. It is 0 without a number.
func FileNumber(h *decode.TraceHeader) int64 {
	if !h.NewFile() {
		return 1
	}
	name := h.LogFileName[strings.LastIndexAny(h.LogFileName, `/\`)+1:]
	end := strings.LastIndexAny(name, "0123456789") + 1
	start := end
	for start > 0 && name[start-1] >= '0' && name[start-1] <= '9' {
		start--
	}
	n, err := strconv.ParseInt(name[start:end], 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// idBytes is the size of the id of a session or recording: enough for any number of traces.
const idBytes = 8

// SessionOf returns the id of a session whose first file is a trace: a hash of the facts in the
// trace's header that tell sessions apart. These are the boot of the system, its build and pointer
// size, the start of the trace in time and in ticks, and the name of the session. It returns "" for a
// trace without a start.
func SessionOf(h *decode.TraceHeader) string { return idOf(h, "session "+h.LoggerName) }

// RecordingOf returns the id of a recording whose first session begins with a trace, in the same way.
func RecordingOf(h *decode.TraceHeader) string { return idOf(h, "recording "+h.LoggerName) }

func idOf(h *decode.TraceHeader, name string) string {
	if h.StartTime <= 0 {
		return ""
	}
	var b []byte
	for _, n := range []int64{h.BootTime, int64(h.ProviderVersion), int64(h.PointerSize), h.StartTime, h.EventTicks, h.PerfFreq} {
		b = binary.LittleEndian.AppendUint64(b, uint64(n))
	}
	sum := sha256.Sum256(append(b, name...))
	return hex.EncodeToString(sum[:idBytes])
}
