package etltest

import "encoding/binary"

// backupHeaderSize is the size of the header of a file of a real-time session. Source: issue 29,
// observed on files of RtBackup.
const backupHeaderSize = 0x48

// appendBackupHeader appends space for the header.
func (t *Trace) appendBackupHeader(dst []byte) []byte { return zeros(dst, backupHeaderSize) }

// setBackupHeader fills the header of a finished file.
func (t *Trace) setBackupHeader(file []byte) error {
	buffers := 0
	for i := range t.Buffers {
		if t.Buffers[i].Verbatim == nil {
			buffers++
		}
	}
	le := binary.LittleEndian
	copy(file, "RlFs")
	le.PutUint32(file[0x04:], 1)
	le.PutUint32(file[0x08:], 1)
	le.PutUint64(file[0x10:], uint64(t.fileTime(t.startTicks())))
	le.PutUint64(file[0x18:], uint64(t.startTicks()))
	le.PutUint32(file[0x20:], uint32(buffers))
	le.PutUint32(file[0x24:], uint32(t.bufferSize()))
	le.PutUint64(file[0x28:], backupHeaderSize)
	le.PutUint64(file[0x30:], uint64(len(file)))
	le.PutUint64(file[0x38:], uint64(len(file)))
	le.PutUint64(file[0x40:], uint64(len(file)-backupHeaderSize))
	return patch(file, t.Header.Patch)
}
