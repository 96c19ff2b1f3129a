package pipeline

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
)

// WriteIndex writes the index of the trace. A file of indexes holds those of several traces, one
// after another.
func (s *Source) WriteIndex(w io.Writer) error {
	return s.Input.Because(s.Index.Write(w, sessionOf(&s.Input)))
}

// openIndex makes the index pass, or reads the index from a file.
func (o *Options) openIndex(ctx context.Context, in *Input) (*index.Index, error) {
	options := o.indexOptions(in)
	if o.Index == "" {
		if options.Sums = !o.Once; o.Once {
			options.Without = o.unneeded()
		}
	}
	return o.learned(ctx, in)(o.readOrMakeIndex(ctx, in, options))
}

// IndexForInfo makes the index pass of an input, or reads the index from o.Index, for a summary:
// without facts about processes, images, files, methods and stacks. The index must be closed.
func (o *Options) IndexForInfo(ctx context.Context, in Input) (*index.Index, error) {
	options := o.indexOptions(&in)
	if options.Judge = in.Size > index.SmallTrace; o.Redact == nil {
		options.Without = index.AllFacts
	}
	return o.learned(ctx, &in)(o.readOrMakeIndex(ctx, &in, options))
}

func (o *Options) readOrMakeIndex(ctx context.Context, in *Input, options index.Options) (*index.Index, error) {
	if o.Index != "" {
		return readIndex(in, o.Index, options)
	}
	if in.Part != nil {
		in.Part.index(&options)
		return o.index(ctx, in.Part.File, options)
	}
	if store := o.store(in); store != nil {
		return o.storedIndex(ctx, in, store, options)
	}
	f, err := decode.NewFile(in.Trace, in.Size)
	if err != nil {
		return nil, err
	}
	return o.index(ctx, f, options)
}

// readIndex returns the index of an input from the file of indexes at path, equal to the result of
// the index pass. The index must be closed.
func readIndex(in *Input, path string, o index.Options) (*index.Index, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	x, err := index.Open(in.Trace, in.Size, f, info.Size(), sessionOf(in), o)
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return x, errors.Join(err, f.Close())
}

// sessionOf returns a hash of the other traces of the session that an input is read with.
func sessionOf(in *Input) uint64 {
	h := fnv.New64a()
	for _, s := range in.Siblings {
		fmt.Fprintf(h, "%d %q ", s.Size, s.ID)
	}
	return h.Sum64()
}
