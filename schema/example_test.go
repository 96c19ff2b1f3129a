package schema_test

import (
	"fmt"
	"log"

	"github.com/etl2parquet/etl2parquet/schema"
)

// What is known of a table without a trace: the columns of the fields of context switches.
func ExampleLookupTable() {
	table, ok := schema.LookupTable("thread_cswitch")
	if !ok {
		log.Fatal("no such table")
	}
	fmt.Println(table.Name)
	for _, c := range table.PayloadColumns()[:3] {
		fmt.Println(c.Name, c.TypeName(), c.Doc != "")
	}
	// Output:
	// events/Thread/CSwitch
	// new_thread_id INT64 true
	// old_thread_id INT64 true
	// new_thread_priority INT32 true
}

// The layout of a kernel event: the fields of version 4 of a context switch, hook 0x0524.
func ExampleCatalog_Hook() {
	switches, ok := schema.KernelCatalog().Hook(0x0524, 4)
	if !ok {
		log.Fatal("no such event")
	}
	for _, f := range switches.Event.Fields[:3] {
		fmt.Println(f.OriginalName(), f.Kind, "in", f.Name)
	}
	// Output:
	// NewThreadId u32 in new_thread_id
	// OldThreadId u32 in old_thread_id
	// NewThreadPriority i8 in new_thread_priority
}
