package export

import (
	"context"
	"strconv"
	"strings"

	"github.com/etl2parquet/etl2parquet"
)

// validText returns a text whose invalid UTF-8 is replaced: formats of other programs have no other
// texts.
func validText(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// buildIDs returns the build ids of modules by their names in lower case: the GUID and the age of the
// PDB, as symbol servers spell them. A name that several builds have is "".
func buildIDs(ctx context.Context, traces *etl2parquet.Traces) (map[string]string, error) {
	ids := make(map[string]string)
	for _, t := range traces.All() {
		err := eachRow(ctx, t, etl2parquet.Scan{}, "images", func(row *struct {
			Name string `column:"image_name"`
			GUID string `column:"pdb_guid"`
			Age  int64  `column:"pdb_age"`
		}) error {
			guid := strings.ToUpper(strings.ReplaceAll(row.GUID, "-", ""))
			if guid == "" {
				return nil
			}
			name, id := strings.ToLower(row.Name), guid+strings.ToUpper(strconv.FormatInt(max(row.Age, 0), 16))
			if other, ok := ids[name]; ok && other != id {
				id = ""
			}
			ids[strings.Clone(name)] = id
			return nil
		})
		if err != nil {
			return nil, inputError(t, err)
		}
	}
	return ids, nil
}

// threadRow is a row of the table threads.
type threadRow struct {
	ProcessID   int64  `column:"process_id" null:"-1"`
	ProcessName string `column:"process_name"`
	ThreadID    int64  `column:"thread_id" null:"-1"`
}

// threadNames returns the names that threads of the profile have, by the numbers of the threads.
func (p *profile) threadNames(ctx context.Context) (map[int32]string, error) {
	names := make(map[int32]string)
	for i, t := range p.traces.All() {
		err := eachRow(ctx, t, etl2parquet.Scan{}, "threads", func(row *struct {
			threadRow
			Name string `column:"thread_name"`
		}) error {
			if row.Name == "" {
				return nil
			}
			owner, ok := p.processes.ids[process{p.machines[i], row.ProcessID, row.ProcessName}]
			if !ok {
				return nil
			}
			if id, ok := p.threads.ids[thread{owner, row.ThreadID}]; ok {
				names[id] = strings.Clone(row.Name)
			}
			return nil
		})
		if err != nil {
			return nil, inputError(t, err)
		}
	}
	return names, nil
}
