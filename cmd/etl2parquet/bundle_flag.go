package main

import (
	"fmt"

	"github.com/etl2parquet/etl2parquet/cmd/etl2parquet/internal/usage"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/inputs/batch"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
)

// The values of --bundle that are not sizes.
const (
	autoBundle  = "auto"
	neverBundle = "never"
)

// bundleFlag is the value of --bundle.
type bundleFlag struct {
	word string     // "": a size
	size texts.Size // of the inputs of a bundle
}

func (f *bundleFlag) Type() string { return autoBundle + "|" + neverBundle + "|size" }

func (f *bundleFlag) String() string {
	if f.word != "" {
		return f.word
	}
	return f.size.String()
}

func (f *bundleFlag) Set(text string) error {
	if text == autoBundle || text == neverBundle {
		*f = bundleFlag{text, bundle.DefaultBundleBytes}
		return nil
	}
	var bytes texts.Size
	if err := bytes.Set(text); err != nil {
		return fmt.Errorf("%q is neither %s nor %s nor a size such as 512MiB or 2GB", text, autoBundle, neverBundle)
	}
	if bytes < 1 {
		return &usage.RangeError{Least: texts.ExactSize(1)}
	}
	*f = bundleFlag{size: bytes}
	return nil
}

// words returns words for completion.
func (f *bundleFlag) words() []string {
	return []string{autoBundle, neverBundle, "64MiB", "256MiB", "1GiB"}
}

// bundleModes are the modes of the values of --bundle; "" stands for sizes.
var bundleModes = map[string]batch.BundleMode{autoBundle: batch.BundleAuto, neverBundle: batch.BundleNever, "": batch.BundleSmaller}

func (f *bundleFlag) bundling() batch.Bundling {
	return batch.Bundling{Mode: bundleModes[f.word], Bytes: int64(f.size)}
}
