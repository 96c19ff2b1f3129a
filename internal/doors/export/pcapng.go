package export

import (
	"context"
	"errors"
	"io"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/doors/export/pcapng"
)

var pcapngFormat = &Format{
	Name: "pcapng", Extension: ".pcapng", Binary: true, Packets: true, Write: writePcapng,
	Doc: "packets of PktMon and netsh trace for Wireshark",
}

func writePcapng(ctx context.Context, traces *etl2parquet.Traces, w io.Writer, o Options) error {
	err := pcapng.Export(ctx, traces, w, pcapng.Options{Scan: o.Scan, AllComponents: o.AllComponents, Note: o.Note})
	if errors.Is(err, pcapng.ErrNoPackets) {
		return &LackError{Text: err.Error()}
	}
	return err
}
