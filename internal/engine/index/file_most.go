package index

import (
	"encoding/binary"
	"io"
	"math"

	"github.com/etl2parquet/etl2parquet/internal/engine/index/snapshot"
)

// The bytes that a method and a record of a stack key take in a file at least, in nearly all traces.
const (
	methodBytes = 64
	stackBytes  = 8
)

// WriteMost is Write for an index that may lack facts; Open refuses it where they are needed. It writes
// nothing if the section had more than most bytes, which it finds before it makes all of them.
func (x *Index) WriteMost(w io.Writer, session uint64, most int64) (ok bool, err error) {
	if t := x.Tables(); int64(len(t.Methods))*methodBytes+int64(t.Stacks.Definitions())*stackBytes > most {
		return false, nil
	}
	id, err := x.Identity()
	if err != nil {
		return false, err
	}
	s, err := x.saved()
	if err != nil {
		return false, err
	}
	b := append(make([]byte, 0, 1<<16), sectionMagic[:]...)
	le := binary.LittleEndian
	b = le.AppendUint64(b, snapshotForm())
	b = le.AppendUint64(b, uint64(x.File.Size()))
	b = append(b, id[:]...)
	b = le.AppendUint64(b, session)
	b = append(b, make([]byte, sectionHeader-len(b))...)
	if b, ok = snapshot.AppendMost(b, s, int(min(most, math.MaxInt))); !ok {
		return false, nil
	}
	le.PutUint64(b[0x30:], uint64(len(b)-sectionHeader))
	le.PutUint64(b[0x38:], sectionSum(b))
	_, err = w.Write(b)
	return err == nil, err
}
