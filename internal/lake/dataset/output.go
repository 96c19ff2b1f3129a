package dataset

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/base/ordered"
	"github.com/etl2parquet/etl2parquet/internal/base/remote"
	"github.com/etl2parquet/etl2parquet/internal/engine/partname"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet"
	"github.com/etl2parquet/etl2parquet/internal/lake/store"
)

// Output writes the files of a part.
type Output struct {
	dataset *Dataset
	part    string

	mu     sync.Mutex     // guards opened and files, as any worker may open a file
	opened map[string]int // files by table, folded: tables that differ only in case can share a folder
	files  []*outputFile
}

// outputFile is the file of a table. It is invisible until it is published.
type outputFile struct {
	store.File
	table   string
	path    string // from the root, with slashes
	parquet *parquet.File
}

func (d *Dataset) NewOutput(part string) *Output {
	return &Output{dataset: d, part: part, opened: make(map[string]int)}
}

// Rename gives the part another name. It must not be called after Create.
func (o *Output) Rename(part string) { o.part = part }

// Create opens the next file of the table of p. The caller makes p write to it.
func (o *Output) Create(ctx context.Context, p *parquet.File) (store.File, error) {
	table := p.Table.Name
	o.mu.Lock()
	folder := partname.Fold(table)
	path := partFile(table, o.part, o.opened[folder])
	o.opened[folder]++
	o.mu.Unlock()
	file, err := o.dataset.store.Create(ctx, path)
	if err != nil {
		return nil, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.files = append(o.files, &outputFile{File: file, table: table, path: path, parquet: p})
	return file, nil
}

// Len returns the number of files opened.
func (o *Output) Len() int { return len(o.files) }

// cleanUpTime bounds the removal of files after a failure: the network may be down.
const cleanUpTime = 30 * time.Second

// cleaningUp returns a context for work that must be done after ctx has ended.
func cleaningUp(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), cleanUpTime)
}

// Abandon removes all files because of an error, which it returns.
func (o *Output) Abandon(ctx context.Context, because error) error {
	return alsoFailed(because, o.Discard(ctx))
}

// Discard removes all files.
func (o *Output) Discard(ctx context.Context) error {
	ctx, cancel := cleaningUp(ctx)
	defer cancel()
	return together(o.files, func(f *outputFile) error { return f.Discard(ctx) })
}

// AbandonFiles removes some files because of an error, which it returns. They must be the
// last files of their tables.
func (o *Output) AbandonFiles(ctx context.Context, because error, which func(*parquet.File) bool) error {
	ctx, cancel := cleaningUp(ctx)
	defer cancel()
	o.mu.Lock()
	defer o.mu.Unlock()
	var gone []*outputFile
	o.files = slices.DeleteFunc(o.files, func(f *outputFile) bool {
		if !which(f.parquet) {
			return false
		}
		gone = append(gone, f)
		o.opened[partname.Fold(f.table)]--
		return true
	})
	return alsoFailed(because, together(gone, func(f *outputFile) error { return f.Discard(ctx) }))
}

var errLeft = errors.New("the written files could not be removed")

// alsoFailed adds the first error of cleaning up to an error, unless an earlier call
// has added one.
func alsoFailed(because error, cleanUp ...error) error {
	failed := slices.IndexFunc(cleanUp, func(err error) bool { return err != nil })
	if failed < 0 || errors.Is(because, errLeft) {
		return because
	}
	if errors.Is(because, remote.ErrRefused) && errors.Is(cleanUp[failed], remote.ErrRefused) {
		return fmt.Errorf("%w; and %w", because, errLeft) // for the same reason
	}
	return fmt.Errorf("%w; and %w: %w", because, errLeft, cleanUp[failed])
}

// together calls do for each file, several at a time if that takes long.
func together(files []*outputFile, do func(*outputFile) error) error {
	return ordered.Each(len(files), atOnce, func(i int) error { return do(files[i]) })
}
