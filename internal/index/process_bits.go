package index

import (
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/attribution"
)

// ProcessBit maps a process to one of 64 bits. Ids are multiples of 4.
func ProcessBit(id uint32) uint64 { return 1 << (id >> 2 % 64) }

// allProcesses is the bits of events whose process their header does not say.
const allProcesses = ^uint64(0)

// processBits returns the bits of the processes that an event may be of.
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
	if id == attribution.NoID { // it may follow from the thread, or the payload
		return allProcesses
	}
	return ProcessBit(id)
}
