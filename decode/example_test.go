package decode_test

import (
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"time"

	"github.com/etl2parquet/etl2parquet/decode"
)

// The first events of a trace, with the time of their headers and the bytes of their payloads.
func ExampleNewFile() {
	r, err := os.Open("../testdata/sample.etl")
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	info, err := r.Stat()
	if err != nil {
		log.Fatal(err)
	}
	file, err := decode.NewFile(r, info.Size())
	if err != nil {
		log.Fatal(err)
	}
	h := file.Header()
	clock := decode.NewClock(h.ClockType, h.EventTicks, h.StartTime, h.PerfFreq, h.CPUSpeedInMHz)
	var buffer decode.Buffer
	var event decode.Event
	events := 0
	for i := range file.Buffers() {
		if err := file.ReadBuffer(i, &buffer); err != nil {
			fmt.Println(err) // this buffer is damaged, the others may be whole
			continue
		}
		for {
			if err := buffer.Next(&event); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				fmt.Println(err)
				break
			}
			if events++; events <= 3 {
				logged := time.Unix(0, clock.UnixNano(event.Time)).UTC()
				fmt.Println(logged.Format("15:04:05.000000"), event.Type, len(event.Payload()), "bytes")
			}
		}
	}
	fmt.Println(events, "events in", file.Buffers(), "buffers")
	// Output:
	// 12:00:00.250000 SYSTEM64 356 bytes
	// 12:00:00.250000 SYSTEM64 36 bytes
	// 12:00:00.250000 SYSTEM64 48 bytes
	// 449 events in 6 buffers
}
