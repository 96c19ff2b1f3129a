package etltest_test

import (
	"encoding/hex"
	"fmt"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
)

func ExampleParse() {
	file, err := etltest.Parse(`
trace buffersize=1024 clock=qpc freq=10000000 startticks=0 name="Sample"
buffer cpu=1
repeat 2 dt=1ms {
  perfinfo64 hook=0x0524 ver=4 payload=u32:$i|8   # two words of a context switch
}`)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(file), "bytes")
	fmt.Print(hex.Dump(file[1024+0x48:][:0x38]))
	// Output:
	// 2048 bytes
	// 00000000  04 00 11 c0 18 00 24 05  00 00 00 00 00 00 00 00  |......$.........|
	// 00000010  00 00 00 00 08 00 00 00  04 00 11 c0 18 00 24 05  |..............$.|
	// 00000020  10 27 00 00 00 00 00 00  01 00 00 00 08 00 00 00  |.'..............|
	// 00000030  ff ff ff ff ff ff ff ff                           |........|
}

func ExampleTrace_Stream() {
	t := &etltest.Trace{BufferSize: 64 << 10}
	s := t.Stream()
	for i := range 100_000 {
		e := etltest.Event{Kind: etltest.PerfInfo64, Hook: 0x0524, Version: 4, Time: int64(i), Payload: make([]byte, 24)}
		if err := s.Add(uint16(i%64), &e); err != nil {
			fmt.Println(err)
			return
		}
	}
	s.Flush()
	file, err := t.Bytes()
	fmt.Println(len(t.Buffers), "buffers,", len(file), "bytes,", err)
	// Output: 64 buffers, 4259840 bytes, <nil>
}
