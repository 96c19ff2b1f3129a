package listing

import (
	"errors"
	"fmt"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
)

// Built is a catalogue made from files.
type Built struct {
	File              []byte
	events, providers int
}

func (b *Built) String() string {
	return fmt.Sprintf("%s of %s in %s", texts.Counted(int64(b.events), "event"), texts.Counted(int64(b.providers), "provider"), texts.RoundSize(int64(len(b.File))))
}

// Build makes a catalogue from files that describe events. It calls note with a line for each file
// with errors or, with details, for each error.
func Build(files *catalog.Files, details bool, note func(line string)) (*Built, error) {
	data, events, providers, err := files.Compile()
	if err != nil {
		return nil, err
	}
	for _, err := range files.Errors() {
		file := new(catalog.FileErrors)
		if !details || !errors.As(err, &file) {
			note("warning: " + texts.Printable(err.Error()))
			continue
		}
		path := texts.Printable(file.Path)
		for _, one := range file.List {
			note(fmt.Sprintf("warning: %s: %s", path, texts.Printable(one.Error())))
		}
		if file.More > 0 {
			note(fmt.Sprintf("warning: %s: %d more errors", path, file.More))
		}
	}
	if events == 0 {
		return nil, errors.New("the files describe no event: no catalogue")
	}
	return &Built{data, events, providers}, nil
}
