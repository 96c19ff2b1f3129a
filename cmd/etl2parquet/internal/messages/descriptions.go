package messages

import (
	"errors"
	"fmt"

	"github.com/etl2parquet/etl2parquet/internal/base/shell"
	"github.com/etl2parquet/etl2parquet/internal/base/text/grid"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
)

// maxDescriptions bounds the errors in files that describe events.
const maxDescriptions = 20

// OfDescriptions returns the warnings for errors in files that describe events.
func OfDescriptions(errs []error) []string {
	var lines []string
	for _, err := range errs[:min(len(errs), maxDescriptions)] {
		line := "warning: " + grid.Printable(err.Error())
		if of := new(catalog.FileErrors); errors.As(err, &of) && len(of.List) > 1 {
			line += fmt.Sprintf("; \"etl2parquet catalog build %s --details\" lists them", shell.Quote(of.Path))
		}
		lines = append(lines, line)
	}
	if n := len(errs) - maxDescriptions; n > 0 {
		lines = append(lines, fmt.Sprintf("warning: %d more errors in manifests and TMF files are not listed", n))
	}
	return lines
}
