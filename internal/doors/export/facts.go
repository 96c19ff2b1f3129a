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
		err := eachRow(ctx, t, etl2parquet.Scan{}, "images", []string{"image_name", "pdb_guid", "pdb_age"}, func(c *cursor) error {
			guid := strings.ToUpper(strings.ReplaceAll(c.Text(1), "-", ""))
			if guid == "" {
				return nil
			}
			name, id := strings.ToLower(c.Text(0)), guid+strings.ToUpper(strconv.FormatInt(max(c.number(2), 0), 16))
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

// threadNames returns the names that threads of the profile have, by the numbers of the threads.
func (p *profile) threadNames(ctx context.Context) (map[int32]string, error) {
	names := make(map[int32]string)
	for i, t := range p.traces.All() {
		err := eachRow(ctx, t, etl2parquet.Scan{}, "threads", []string{"process_id", "process_name", "thread_id", "thread_name"}, func(c *cursor) error {
			if c.Text(3) == "" {
				return nil
			}
			of, ok := p.processes.ids[process{p.machines[i], c.number(0), c.Text(1)}]
			if !ok {
				return nil
			}
			if id, ok := p.threads.ids[thread{of, c.number(2)}]; ok {
				names[id] = strings.Clone(c.Text(3))
			}
			return nil
		})
		if err != nil {
			return nil, inputError(t, err)
		}
	}
	return names, nil
}
