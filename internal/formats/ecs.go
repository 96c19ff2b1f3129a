package formats

import (
	"io"

	"github.com/etl2parquet/etl2parquet/internal/engine/rows"
	"github.com/etl2parquet/etl2parquet/internal/formats/logs"
	"github.com/etl2parquet/etl2parquet/schema"
)

// ECS is documents of the Elastic Common Schema: an object a line.
var ECS = &Format{Name: "ecs", form: rows.FieldsNamed, columns: logs.ECSColumns, write: newECSWriter, IsLog: true, IsWhole: true, Greps: true}

func newECSWriter(w io.Writer, t *schema.Table, o *Options) (Writer, error) {
	return &logWriter{to: w, limit: o.Limit, append: logs.NewECSMaker(t, o.Columns, o.resourceOf(), o.Keep).Append}, nil
}
