package index

import (
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
)

// ProcessBit maps a process to one of 64 bits. Ids are multiples of 4.
func ProcessBit(id uint32) uint64 { return 1 << (id >> 2 % 64) }

// allProcesses are the bits of an event whose header has no process.
const allProcesses = ^uint64(0)

// processBits returns the bits of the processes to which an event may belong.
func processBits(ev *decode.Event) uint64 {
	id := attribution.NoID
	switch ev.Family {
	case decode.FamilyEvent:
		id = ev.Header().ProcessID()
	case decode.FamilyMessage:
		if process, ok := ev.Message().ProcessID(); ok {
			id = process
		}
	}
	if id == attribution.NoID { // the thread or the payload may give the process
		return allProcesses
	}
	return ProcessBit(id)
}
