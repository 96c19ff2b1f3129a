package fixed

import "github.com/etl2parquet/etl2parquet/facts"

// payloadFills fill the columns that count payloads.
func payloadFills[T any](of func(T) *facts.Payloads) []columnFill[T] {
	fill := func(name string, count func(*facts.Payloads) int64) columnFill[T] {
		return columnFill[T]{name, func(c *cell, v T) { c.int(count(of(v))) }}
	}
	return []columnFill[T]{
		fill("payloads_whole", func(p *facts.Payloads) int64 { return p.Whole }),
		fill("payloads_in_part", func(p *facts.Payloads) int64 { return p.InPart }),
		fill("payloads_raw", func(p *facts.Payloads) int64 { return p.Raw }),
		fill("payload_bytes_whole", func(p *facts.Payloads) int64 { return p.BytesWhole }),
		fill("payload_bytes_in_part", func(p *facts.Payloads) int64 { return p.BytesInPart }),
		fill("payload_bytes_rest", func(p *facts.Payloads) int64 { return p.BytesRest }),
		fill("payload_bytes_raw", func(p *facts.Payloads) int64 { return p.BytesRaw }),
	}
}
