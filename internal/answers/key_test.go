package answers

import (
	"reflect"
	"slices"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
)

// TestKey checks that each option of a conversion is in the key of its tables or changes no row.
func TestKey(t *testing.T) {
	inKey := []string{"Payload", "Fields", "Facts", "Selection", "Schemas", "Inputs", "Messages", "Symbols", "MaxTables", "Strict", "Redact"}
	noRows := []string{"Uncounted", "Workers", "Memory", "Form", "TempDir", "Progress", "Times", "Indexed", "Index", "Indexes", "Once", "Limit", "Large", "Limits", "part"}
	options := reflect.TypeFor[pipeline.Options]()
	for i := range options.NumField() {
		if name := options.Field(i).Name; !slices.Contains(inKey, name) && !slices.Contains(noRows, name) {
			t.Errorf("pipeline.Options.%s is new: put it into key, or into the list of options that change no row", name)
		}
	}
}
