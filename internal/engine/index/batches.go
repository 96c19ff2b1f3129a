package index

import (
	"errors"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/ccswap"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
)

// readBatch counts the context switches of a batch at position at of the buffer.
func (c *chunk) readBatch(b *decode.Buffer, s *BufferSummary, at int, batch []byte) {
	n, err := ccswap.Count(batch)
	s.Switches.Packed++
	s.Switches.InBatches += int32(n)
	if err != nil {
		c.problems.Add(facts.Problem{Severity: facts.SeverityError, Code: "context_switches_damaged", Count: 1, Buffer: int64(b.Index),
			FileOffset: -1, Position: int64(at), Field: "PERFINFO_CCSWAP_BUFFER", Message: err.Error()})
	}
}

// noteBatches reports batches of context switches.
func (x *Index) noteBatches() {
	batches := int64(0)
	for i := range x.Buffers {
		batches += int64(x.Buffers[i].Switches.Packed)
	}
	if batches > 0 {
		x.Problems.Trace(facts.SeverityInfo, "context_switches_packed", batches, "",
			"batches of context switches in compact form: the table compact_switches has the switches; which thread runs on their processors is not taken from them")
	}
}

// CompactSwitches returns the number of context switches in compact form.
func (x *Index) CompactSwitches() (n int64) {
	for i := range x.Buffers {
		n += int64(x.Buffers[i].Switches.InBatches)
	}
	return n
}

// CompactSwitch is a context switch in compact form.
type CompactSwitch struct {
	ccswap.Switch
	BatchRef  int64 // event_ref of the batch
	Position  int32 // in the batch, from 0
	Processor uint16
	NewThread uint32 // that the next switch of the batch switches out
	HasNew    bool   // there is a next one
}

// ReadCompactSwitches calls visit for the context switches in compact form numbered [from, to), in
// the order of buffers, events and times. The index pass has reported any damage.
func (x *Index) ReadCompactSwitches(from, to int64, visit func(*CompactSwitch)) error {
	var buffer decode.Buffer
	at := int64(0)
	for i := range x.Buffers {
		n := int64(x.Buffers[i].Switches.InBatches)
		if at >= to {
			break
		}
		if n > 0 && at+n > from {
			if err := x.readBatches(&buffer, i, func(number int64, s *CompactSwitch) {
				if number += at; number >= from && number < to {
					visit(s)
				}
			}); err != nil {
				return err
			}
		}
		at += n
	}
	return nil
}

// readBatches visits the switches in the batches of a buffer, numbered from 0.
func (x *Index) readBatches(b *decode.Buffer, buffer int, visit func(int64, *CompactSwitch)) error {
	var damage *decode.Error
	if err := x.File.ReadBuffer(buffer, b); err != nil && !errors.As(err, &damage) {
		return err
	}
	number := int64(0)
	batch := func(ev *decode.Event, data []byte) {
		s := CompactSwitch{BatchRef: int64(buffer)<<32 | int64(ev.Offset), Processor: b.Header.Processor}
		number += eachSwitch(data, func(of *ccswap.Switch, next *ccswap.Switch, position int32) {
			s.Switch, s.Position, s.HasNew, s.NewThread = *of, position, next != nil, 0
			if next != nil {
				s.NewThread = next.OldThread
			}
			visit(number+int64(position), &s)
		})
	}
	var ev decode.Event
	for b.Next(&ev) == nil {
		if b.PacksSwitches() {
			batch(&ev, ev.Raw)
		} else if attribution.IsSwitchBatch(ev.HookID()) {
			batch(&ev, ev.Payload())
		}
	}
	return nil
}

// eachSwitch visits the switches of a batch, each with the next one or nil, and returns their
// number.
func eachSwitch(batch []byte, visit func(s, next *ccswap.Switch, position int32)) int64 {
	r, err := ccswap.New(batch)
	if err != nil {
		return 0
	}
	var s, next ccswap.Switch
	if r.Next(&s) != nil {
		return 0
	}
	for position := int32(0); ; position++ {
		if r.Next(&next) != nil { // the end, or damage
			visit(&s, nil, position)
			return int64(position) + 1
		}
		visit(&s, &next, position)
		s = next
	}
}
