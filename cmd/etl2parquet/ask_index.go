package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"os"
	"sync"

	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/lake/cache"
)

// The index of a trace is kept if it saves time and takes little room: if the trace has at least
// app.minIndexed bytes, by default minIndexed, and its index at most one byte for each indexShare bytes
// of it.
const (
	minIndexed = 16 << 20
	indexShare = 20
)

// indexKey is all that the index of a trace depends on.
type indexKey struct {
	Form    int
	Program string
	Index   keyInput
	Facts   int64
}

// indexNotes are the notes of a kept index.
type indexNotes struct {
	Without index.Facts `json:"without"`
}

// withoutOf returns the facts that the index in a piece lacks.
func withoutOf(p *cache.Piece) index.Facts {
	notes := indexNotes{index.AllFacts}
	if json.Unmarshal(p.Notes(), &notes) != nil {
		return index.AllFacts
	}
	return notes.Without
}

// indexKey returns the key of the index of a file. ok is false if its index cannot be kept, or need not.
func (r *reading) indexKey(file *inputs.File) (key []byte, ok bool) {
	if r.options.Redact != nil || r.flags.index != "" || file.IsStream() || file.Size < cmp.Or(r.minIndexed, minIndexed) {
		return nil, false
	}
	identity, ok := file.Identity()
	k := indexKey{cacheForm, programIdentity(), keyInput{Path: file.Path, Identity: identity}, cmp.Or(r.options.Facts, pipeline.DefaultMemory)}
	if !ok || k.Program == "" {
		return nil, false
	}
	key, err := json.Marshal(k)
	return key, err == nil
}

// keptIndexes keeps the indexes of inputs in the cache. It implements [pipeline.IndexStore].
type keptIndexes struct {
	cache *cache.Cache
	files map[string]*indexedFile // by path

	mu   sync.Mutex
	made []*madeIndex
	err  error // why an index was not kept
}

// indexedFile is an input, with its key before it was opened.
type indexedFile struct {
	*inputs.File
	key []byte
}

// madeIndex is an index that is not kept yet.
type madeIndex struct {
	of      *indexedFile
	draft   *cache.Draft
	without index.Facts
}

// indexes returns the store for the indexes of the inputs. It must be called before they are opened.
func (r *reading) indexes(c *cache.Cache) *keptIndexes {
	k := &keptIndexes{cache: c, files: make(map[string]*indexedFile)}
	for _, file := range r.in.Files {
		if key, ok := r.indexKey(file); ok {
			k.files[file.Path] = &indexedFile{file, key}
		}
	}
	return k
}

// keepIndexes makes the library take the indexes of the inputs from the cache, and add those that it lacks.
// It returns nil if there is no cache.
func (r *reading) keepIndexes() (*keptIndexes, error) {
	c, err := r.openCache(&r.flags.cache)
	if c == nil || err != nil {
		return nil, err
	}
	k := r.indexes(c)
	r.library.Indexes = k
	return k, nil
}

// endOpening keeps the indexes that were made while the inputs were opened.
func (k *keptIndexes) endOpening(r *reading) {
	if k == nil {
		return
	}
	switch isKept, err := k.end(r); {
	case err != nil:
		r.warnNoCache(err)
	case isKept:
		r.tellOfCache(k.cache)
	}
}

// fileOf returns the file that is an input, or nil: traces in other files have no index that is kept.
func (k *keptIndexes) fileOf(in *pipeline.Input) *indexedFile {
	if f := k.files[in.Name]; f != nil && f.Size == in.Size {
		return f
	}
	return nil
}

// openIndex is a kept index that is locked and open.
type openIndex struct {
	*os.File
	piece *cache.Piece
	size  int64
}

func (f *openIndex) Size() int64  { return f.size }
func (f *openIndex) Close() error { return errors.Join(f.File.Close(), f.piece.Close()) }

// Open implements [pipeline.IndexStore].
func (k *keptIndexes) Open(in *pipeline.Input, without index.Facts) pipeline.IndexFile {
	of := k.fileOf(in)
	if of == nil {
		return nil
	}
	if f := openKept(k.cache.Set(of.key), without); f != nil {
		return f
	}
	return nil
}

// openKept opens the index of a set that has all facts but without, or returns nil.
func openKept(set *cache.Set, without index.Facts) *openIndex {
	p, err := set.Index(func(p *cache.Piece) bool { return withoutOf(p)&^without == 0 })
	if p == nil || err != nil {
		return nil
	}
	f, err := os.Open(p.IndexPath())
	if err != nil {
		_ = p.Close() // nothing was written
		return nil
	}
	open := &openIndex{File: f, piece: p}
	info, err := f.Stat()
	if err != nil {
		_ = open.Close()
		return nil
	}
	open.size = info.Size()
	return open
}

// Keep implements [pipeline.IndexStore].
func (k *keptIndexes) Keep(in *pipeline.Input, without index.Facts, write func(io.Writer, int64) (bool, error)) {
	of := k.fileOf(in)
	if of == nil {
		return
	}
	draft, err := k.cache.Set(of.key).Begin()
	if err != nil {
		k.add(nil, err)
		return
	}
	f, err := draft.CreateIndex()
	ok := false
	if err == nil {
		ok, err = write(f, in.Size/indexShare)
		err = errors.Join(err, f.Close())
	}
	if ok && err == nil {
		k.add(&madeIndex{of, draft, without}, nil)
	} else {
		k.add(nil, errors.Join(err, draft.Discard()))
	}
}

func (k *keptIndexes) add(m *madeIndex, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.err = cmp.Or(k.err, err)
	if m != nil {
		k.made = append(k.made, m)
	}
}

// end keeps the indexes that were made of files that have not changed meanwhile. It returns whether it kept
// one, and why others could not be kept. The inputs must have been read.
func (k *keptIndexes) end(r *reading) (isKept bool, err error) {
	for _, m := range k.made {
		var one bool
		var err error
		if key, ok := r.indexKey(m.of.File); ok && string(key) == string(m.of.key) {
			about := &cache.About{Names: []string{m.of.Path}, Tool: toolVersion(), Notes: indexNotes{m.without}}
			one, err = m.draft.KeepIndex(about, func(p *cache.Piece) bool { return m.without&^withoutOf(p) == 0 })
		}
		isKept = isKept || one
		k.err = cmp.Or(k.err, errors.Join(err, m.draft.Discard()))
	}
	k.made = nil
	return isKept, k.err
}

// drop removes the kept indexes of the inputs: the files are not as their state says.
func (k *keptIndexes) drop() {
	if k == nil {
		return
	}
	for _, of := range k.files {
		k.cache.Set(of.key).DropIndexes()
	}
}
