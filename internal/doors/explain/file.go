package explain

import (
	"errors"
	"fmt"
	"time"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/session"
)

// headSize is the number of bytes at the start of a file that file needs.
const headSize = decode.BackupHeaderSize

// file explains a file by its first bytes and its size. A file that does not begin like a trace has
// no reading.
func (e *Explainer) file(name string, head []byte, size int64) *Explanation {
	x := &Explanation{Word: name, Readings: []Reading{}}
	if h, ok := decode.ParseBackupHeader(head); ok {
		x.Readings = append(x.Readings, backupReading(&h, size))
	} else if h, ok := decode.ParseBufferHeader(head); ok {
		x.Readings = append(x.Readings, bufferReading(&h))
	}
	return x
}

// readBackup reads the first bytes of a file of a real-time session.
func readBackup(_ *Explainer, w *word) ([]Reading, error) {
	h, ok := decode.ParseBackupHeader(w.bytes)
	if !ok {
		return nil, errors.New("not the header of a file of RtBackup: RlFs, and 0x48 bytes in all")
	}
	return []Reading{backupReading(&h, -1)}, nil
}

// readBuffer reads the header of a buffer.
func readBuffer(_ *Explainer, w *word) ([]Reading, error) {
	h, ok := decode.ParseBufferHeader(w.bytes)
	if !ok {
		return nil, fmt.Errorf("not a WMI_BUFFER_HEADER of %#x bytes", decode.BufferHeaderSize)
	}
	return []Reading{bufferReading(&h)}, nil
}

// backupReading explains the header of a file of a real-time session; size is -1 if it is unknown.
func backupReading(h *decode.BackupHeader, size int64) Reading {
	clock := fmt.Sprintf("%#x, ticks of a clock whose frequency the file does not say", h.Clock)
	if h.ClockType() == decode.ClockSystemTime {
		clock = fmt.Sprintf("%#x, FILETIME: %s", h.Clock, filetimeText(h.Clock))
	}
	end := fmt.Sprintf("%#x", h.End)
	if size >= 0 && h.End > size {
		end += fmt.Sprintf(", but the file ends at %#x", size)
	}
	return Reading{As: "real-time-backup", Meaning: "file of buffers of a real-time session that no consumer had read (RtBackup\\EtwRT*.etl)", Facts: []Fact{
		{Name: "time", Value: filetimeText(h.Time)},
		{Name: "clock", Value: clock},
		{Name: "buffers", Value: fmt.Sprint(h.Buffers)},
		{Name: "buffer size", Value: fmt.Sprintf("%#x bytes in memory; in the file each ends with its data", h.BufferSize)},
		{Name: "first buffer", Value: fmt.Sprintf("at %#x", h.Begin)},
		{Name: "end", Value: end},
		{Name: "bytes", Value: fmt.Sprintf("%#x, of all buffers", h.Bytes)},
		{Name: "source", Value: "observed on files, not documented"},
	}}
}

func bufferReading(h *decode.BufferHeader) Reading {
	return Reading{As: "buffer", Meaning: "WMI_BUFFER_HEADER, with which a buffer of a trace begins", Facts: []Fact{
		{Name: "BufferSize", Value: fmt.Sprintf("%#x bytes in the file", h.BufferSize)},
		{Name: "SavedOffset", Value: fmt.Sprintf("%#x", h.SavedOffset)},
		{Name: "Offset", Value: fmt.Sprintf("%#x, where the data end", h.Offset)},
		{Name: "SequenceNumber", Value: fmt.Sprint(h.SequenceNumber)},
		{Name: "ProcessorIndex", Value: fmt.Sprint(h.Processor)},
		{Name: "LoggerId", Value: fmt.Sprint(h.LoggerID)},
		{Name: "BufferFlag", Value: fmt.Sprintf("%#04x", uint16(h.BufferFlag)), Facts: bitFacts(uint64(h.BufferFlag), 4, func(bit uint64) string { return known(session.BufferFlagNames(uint16(bit))[0]) })},
		{Name: "BufferType", Value: fmt.Sprintf("%d, %s", h.BufferType, session.BufferTypeName(h.BufferType))},
		{Name: "source", Value: "phnt WMI_BUFFER_HEADER; seen"},
	}}
}

func filetimeText(filetime int64) string {
	t, ok := decode.FiletimeUTC(filetime)
	if !ok {
		return "0, not set"
	}
	return t.Format(time.RFC3339Nano)
}
