package export

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
)

// Format is a format of files of other programs.
type Format struct {
	Name      string
	Doc       string // what opens it, for a list of formats
	Extension string // of its files, with the first dot: .pb.gz
	Binary    bool   // not for terminals
	Packets   bool   // it has whole packets, whose bytes have names in them, and uses AllComponents

	// The options, besides the selection of events, that the file depends on.
	IsProfile    bool // Of and Idle, and the symbols that the traces were opened with
	HasProcesses bool // ByProcess

	// Write writes the traces to w. An error of a single trace is a [facts.InputError]: the file
	// is complete, without the rest of that trace. After any other error it is not complete.
	Write func(ctx context.Context, traces *etl2parquet.Traces, w io.Writer, o Options) error
}

// Options say what is exported. The zero value exports samples of the processor, without idle ones.
type Options struct {
	Scan etl2parquet.Scan // selects events; its Table, Columns and Limit are not used
	Of   Kind             // events that have the weight in a profile; "" is Samples
	Idle bool             // also samples of idle processors

	// ByProcess makes one profile of each process, where a format has profiles of threads.
	ByProcess bool

	TempDir string // for events that are sorted on disk; "" is the system's

	AllComponents bool // all appearances of a packet, not only its first one

	// Note is called with remarks about the result for the user. It may be nil.
	Note func(text string)
}

// note reports a remark.
func (o *Options) note(format string, args ...any) {
	if o.Note != nil {
		o.Note(fmt.Sprintf(format, args...))
	}
}

// All returns the formats.
func All() []*Format {
	return []*Format{perfettoFormat, firefoxFormat, speedscopeFormat, pprofFormat, foldedFormat, pcapngFormat}
}

// List returns the formats for a help text: a line each, with its extension.
func List() string {
	var b strings.Builder
	for _, f := range All() {
		fmt.Fprintf(&b, "  %-10s %-16s %s\n", f.Name, f.Extension, f.Doc)
	}
	return b.String()
}

// Names returns the names of the formats.
func Names() (list []string) {
	for _, f := range All() {
		list = append(list, f.Name)
	}
	return list
}

// Find returns the format with a name or, if name is "", the one that the extension of a file means.
func Find(name, file string) (*Format, error) {
	names := Names()
	if name != "" {
		if i := slices.Index(names, name); i >= 0 {
			return All()[i], nil
		}
		hint := ""
		if near := texts.Nearest(name, names); len(near) > 0 {
			hint = "; " + texts.DidYouMean(near)
		}
		return nil, fmt.Errorf("%q is not one of %s%s", name, strings.Join(names, ", "), hint)
	}
	var extensions []string
	for _, f := range All() {
		if strings.HasSuffix(strings.ToLower(file), f.Extension) {
			return f, nil
		}
		extensions = append(extensions, f.Extension)
	}
	return nil, fmt.Errorf("the name of the file means no format; the formats are %s, and the extensions %s", strings.Join(names, ", "), strings.Join(extensions, ", "))
}
