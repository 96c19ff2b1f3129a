package convert_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/etl2parquet/etl2parquet/convert"
)

// One trace becomes a dataset.
func ExampleRun() {
	out, err := os.MkdirTemp("", "dataset-*")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(out)
	report, err := convert.Run(context.Background(), []string{"../testdata/sample.etl"}, out, convert.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range report.Results {
		if r.Err != nil {
			log.Fatal(r.Input, ": ", r.Err)
		}
		fmt.Println(r.Trace, r.Events, "events")
	}
	// Output:
	// sample 449 events
}

// The context switches of all traces in a folder, and in the archives in it.
func ExampleRun_folder() {
	out, err := os.MkdirTemp("", "dataset-*")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(out)
	report, err := convert.Run(context.Background(), []string{"../testdata"}, out, convert.Options{Tables: []string{"Thread/CSwitch"}, Compression: "snappy"})
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range report.Results {
		if r.Err != nil {
			fmt.Println(r.Input, r.Err)
			continue
		}
		fmt.Println(r.Trace)
		for _, f := range r.Files { // of both traces: small ones share files
			fmt.Println(f.Path, f.Rows, "rows")
		}
	}
	fmt.Println(report.Failed(), "inputs failed")
	// Output:
	// sample-compressed
	// events/Thread/CSwitch/bundle_4939a0ce6828317e.parquet 240 rows
	// sample
	// 0 inputs failed
}
