package schema

import (
	"slices"
)

func kernelPool() eventClass {
	return eventClass{
		ref:       refWindows10MOF,
		certainty: Documented,
		enabledBy: "PERF_POOL",
		events: []Event{
			{Name: "PoolAllocation", Type: 0x20, Since: 2,
				Doc:    "A kernel pool block was allocated: type, tag, size, address. The thread is the header's.",
				Fields: poolFields},
			{Name: "SessionPoolAllocation", Type: 0x21, Since: 2,
				Doc:    "A session pool block was allocated in session SessionId.",
				Fields: sessionPoolFields},
			{Name: "PoolFree", Type: 0x22, Since: 2,
				Doc:    "A kernel pool block was freed; joins to its allocation by Entry.",
				Fields: poolFields},
			{Name: "SessionPoolFree", Type: 0x23, Since: 2,
				Doc:    "A session pool block was freed in session SessionId.",
				Fields: sessionPoolFields},
			{Name: "PoolSnapDCStart", Type: 0x28, Since: 2,
				Doc: "Snapshot of pool allocations when the trace starts; no payload layout is published."},
			{Name: "PoolSnapDCEnd", Type: 0x29, Since: 2,
				Doc: "Snapshot of pool allocations when the trace ends; no payload layout is published."},
			{Name: "BigPoolSnapDCStart", Type: 0x2a, Since: 2,
				Doc: "Snapshot of large (page-sized and up) pool allocations when the trace starts; no payload layout is published."},
			{Name: "BigPoolSnapDCEnd", Type: 0x2b, Since: 2,
				Doc: "Snapshot of large (page-sized and up) pool allocations when the trace ends; no payload layout is published."},
			{Name: "SessionPoolSnapDCStart", Type: 0x2c, Since: 2,
				Doc: "Snapshot of session pool allocations when the trace starts; no payload layout is published."},
			{Name: "SessionPoolSnapDCEnd", Type: 0x2d, Since: 2,
				Doc: "Snapshot of session pool allocations when the trace ends; no payload layout is published."},
			{Name: "SessionBigPoolSnapDCStart", Type: 0x2e, Since: 2,
				Doc: "Snapshot of large session pool allocations when the trace starts; no payload layout is published."},
			{Name: "SessionBigPoolSnapDCEnd", Type: 0x2f, Since: 2,
				Doc: "Snapshot of large session pool allocations when the trace ends; no payload layout is published."},
		},
	}
}

// Fields that several events have, and lists of them.
var (
	poolFields = []Field{
		{Name: "type", Kind: U32, Parts: []Part{{"pool_type", 0, 0xefffffff}}, Doc: "Type of pool: nonpaged, paged and so on; bit 28 marks a big allocation."},
		{Name: "tag", Kind: U32, Doc: "Tag of the allocation, four characters."},
		{Name: "number_of_bytes", Kind: Size, Unit: InBytes, Doc: "Size of the pool allocation."},
		{Name: "entry", Kind: Pointer, Doc: "Address of the allocation; joins allocation and free."},
	}
)

var sessionPoolFields = slices.Concat(poolFields, []Field{
	{Name: "session_id", Kind: U32, Doc: "Terminal session whose pool is used."},
})
