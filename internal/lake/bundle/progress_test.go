package bundle

import (
	"context"
	"sync"
	"testing"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/internal/lake/store"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// watchedStore records the progress of a conversion at each call to the store.
type watchedStore struct {
	store.Store
	progress *pipeline.Progress

	mu    sync.Mutex
	steps []string
	at    []float64
}

func (s *watchedStore) note(step string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.steps, s.at = append(s.steps, step), append(s.at, s.progress.Fraction())
}

func (s *watchedStore) Create(ctx context.Context, name string) (store.File, error) {
	s.note("create")
	f, err := s.Store.Create(ctx, name)
	return &watchedFile{f, s}, err
}

type watchedFile struct {
	store.File
	store *watchedStore
}

func (f *watchedFile) Write(p []byte) (int, error) {
	f.store.note("write")
	return f.File.Write(p)
}

func (f *watchedFile) Stage(ctx context.Context) (int64, error) {
	f.store.note("stage")
	return f.File.Stage(ctx)
}

func (f *watchedFile) Publish(ctx context.Context) error {
	f.store.note("publish")
	return f.File.Publish(ctx)
}

// TestProgress watches conversions of whole traces and of selections: the fraction never
// decreases, counts written and staged bytes, and reserves a part for the commit.
func TestProgress(t *testing.T) {
	t.Parallel()
	data := indextest.RandomTrace(t, testenv.Seeded("progress"), indextest.Shapes["few ticks"])
	path := indextest.Write(t, "a.etl", data)
	for name, selection := range map[string]selection.Selection{
		"all": {}, "few events": {Selection: facts.Selection{Events: []string{"nothing"}}}, "a table": {Tables: []string{"system_trace_header"}}, "no events": {Tables: []string{"traces"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := &watchedStore{Store: store.NewFolder(t.TempDir()), progress: new(pipeline.Progress)}
			o := testOptions
			o.Selection, o.Progress = selection, s.progress
			report, err := convertFile(t.Context(), NewDataset(s), path, "a", o)
			if err != nil {
				t.Fatal(err)
			}
			least := map[string]float64{"create": pipeline.IndexShare, "stage": pipeline.IndexShare + pipeline.DecodeShare + pipeline.EncodeShare, "publish": pipeline.IndexShare + pipeline.DecodeShare + pipeline.EncodeShare + pipeline.StageShare}
			const exact = 1e-9
			for i, at := range s.at {
				if at < least[s.steps[i]]-exact || at > 0.99+exact || i > 0 && at < s.at[i-1] {
					t.Fatalf("step %d, %s: %v, after %v", i, s.steps[i], at, s.at[max(i-1, 0)])
				}
			}
			p := s.progress
			if p.FileBytes.Load() != int64(len(data)) || p.IndexedBytes.Load() != int64(len(data)) || p.Events.Load() != report.Events {
				t.Errorf("%d of %d bytes, %d events; want %d bytes, %d events", p.IndexedBytes.Load(), p.FileBytes.Load(), p.Events.Load(), len(data), report.Events)
			}
			if n := p.Converted.Load(); n > report.Events || name == "all" && n != report.Events {
				t.Errorf("%d events converted of %d", n, report.Events)
			}
			if work := p.Work.Load(); p.Decoded.Load() != work || p.Encoded.Load() != work || work == 0 {
				t.Errorf("work %d, of which %d decoded, %d encoded", work, p.Decoded.Load(), p.Encoded.Load())
			}
			if n := int64(len(report.Files)); p.Files.Load() != n || p.Staged.Load() != n || n == 0 {
				t.Errorf("%d of %d files staged, the report has %d", p.Staged.Load(), p.Files.Load(), n)
			}
		})
	}
}
