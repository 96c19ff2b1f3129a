package answers

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/engine/codes"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
)

// keptOptimizers are those of DuckDB's optimizers that say which columns a plan needs. The others could
// leave out tables because of what they know of them: that they are empty.
var keptOptimizers = []string{"unused_columns", "cte_inlining"}

// maxRounds bounds the plans of a question: each leaves joins out, as the one before it shows.
const maxRounds = 8

// plan asks DuckDB for its plan of the statements over tables without rows, before the traces are converted:
// that tells needs which columns of which tables they read. Where the plan cannot tell, needs returns
// all columns of all tables that the statements may read. The error is that of the statements, if they
// are wrong whatever the traces have.
func (d *DuckDB) plan(ctx context.Context, s *Source, o *Options) error {
	s.set = d.views
	if o.Locked && cmp.Or(CheckLocked(s.Statements), d.checkLockedViews(s)) != nil {
		return nil // Run reports it
	}
	plan := s.newPlan()
	if plan == nil || len(d.optimizers) == 0 {
		return nil
	}
	defer d.clock()()
	p, err := d.take(ctx)
	if err != nil {
		return err
	}
	scans, bounds, err := s.scans(p, plan, setParameters(o.Parameters), d.optimizers)
	if err != nil {
		message, ended := p.end()
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case !errors.Is(err, errEnded):
			return err
		case isMemory(ended):
			return ended
		case plan.isExact() && strings.HasPrefix(message, "Binder Error"):
			return (&session{Source: s, o: new(Options)}).errorOf(message, ended)
		}
		return nil // the statements may be right with the columns of the traces
	}
	d.process = p
	if needs, fields, stacks, ok := plan.needs(scans); ok {
		s.planned, s.bounds = append([]selection.Need{}, needs...), bounds
		for i := range s.Statements {
			s.Statements[i].Fields, s.Statements[i].Stacks = fields, stacks
		}
	}
	return nil
}

// newPlan returns the plan for the statements, or nil if one of them does more than read known tables.
func (s *Source) newPlan() *planSchema {
	var names, inputs []string
	for i := range s.Statements {
		st := &s.Statements[i]
		if !st.IsSelect || st.All || st.hidden || st.describes() {
			return nil
		}
		for _, name := range st.Tables {
			switch {
			case slices.Contains(inputs, name):
			case s.isInput(name):
				inputs = append(inputs, name)
			case !containsFold(st.withs, name) || s.known().IsTable(name):
				names = append(names, name)
			}
		}
	}
	if slices.ContainsFunc(inputs, func(a string) bool {
		return slices.ContainsFunc(inputs, func(b string) bool { return a != b && strings.EqualFold(a, b) })
	}) {
		return nil // defining their views reports it
	}
	return newPlanSchema(s.known(), names, inputs)
}

// scans returns what the plans of all statements read, and the bounds of the events among that.
func (s *Source) scans(p *process, plan *planSchema, settings string, optimizers []string) (scans []planScan, bounds *selection.Bounds, err error) {
	head := "SET TimeZone = 'UTC';\n" + settings + "CREATE SCHEMA plan;\nUSE plan;\n" + keepOptimizers(optimizers, keptOptimizers)
	sql := plan.sql()
	if namesCodes(sql) || slices.ContainsFunc(s.Statements, func(s Statement) bool { return namesCodes(s.SQL) }) {
		head += codes.Macros()
	}
	if _, err := p.ask(head); err != nil {
		return nil, nil, err
	}
	for round := 0; ; round++ {
		if _, err := p.ask(sql); err != nil {
			return nil, nil, err
		}
		if scans, err = s.plans(p); err != nil {
			return nil, nil, err
		}
		if round == maxRounds || !plan.unjoin(scans) {
			break
		}
		sql = plan.sql()
	}
	if s.mayBeBounded() {
		if _, err := p.ask(keepOptimizers(optimizers, boundsOptimizers)); err != nil {
			return nil, nil, err
		}
		bounded, err := s.plans(p)
		if err != nil {
			return nil, nil, err
		}
		bounds = plan.bounds(bounded)
	}
	_, err = p.ask("RESET disabled_optimizers;\nUSE memory.main;\nDROP SCHEMA plan CASCADE;\n")
	return scans, bounds, err
}

// keepOptimizers returns the setting that disables all other optimizers.
func keepOptimizers(all, kept []string) string {
	disabled := slices.DeleteFunc(slices.Clone(all), func(name string) bool { return slices.Contains(kept, name) })
	return fmt.Sprintf("SET disabled_optimizers = %s;\n", sqlText(strings.Join(disabled, ",")))
}

// explainPlan is the line before a statement that asks for its plan.
const explainPlan = "EXPLAIN (FORMAT json)\n"

// plans returns the scans in the plans of all statements.
func (s *Source) plans(p *process) (scans []planScan, err error) {
	for i := range s.Statements {
		lines, err := p.ask(explainPlan + s.Statements[i].SQL + "\n;\n")
		if err != nil {
			return nil, err
		}
		if scans, err = appendScans(scans, lines); err != nil {
			return nil, err
		}
	}
	return scans, nil
}

// planNode is an operator in a plan of DuckDB.
type planNode struct {
	Name     string
	Children []planNode
	Info     struct {
		Table       string
		Projections any // a name, or a list
		Filters     any // a condition, or a list
	} `json:"extra_info"`
}

// appendScans appends the scans of tables in a plan, given as lines: a title, and then JSON.
func appendScans(scans []planScan, lines []string) ([]planScan, error) {
	text := strings.Join(lines, "\n")
	begin := strings.Index(text, "\n[")
	if begin < 0 {
		return nil, fmt.Errorf("DuckDB's plan is not understood: %.80q", text)
	}
	var nodes []planNode
	if err := json.NewDecoder(strings.NewReader(text[begin:])).Decode(&nodes); err != nil {
		return nil, fmt.Errorf("DuckDB's plan is not understood: %w", err)
	}
	return appendNodes(scans, nodes), nil
}

func appendNodes(scans []planScan, nodes []planNode) []planScan {
	for i := range nodes {
		n := &nodes[i]
		if n.Info.Table != "" {
			scan := planScan{Table: n.Info.Table[strings.LastIndexByte(n.Info.Table, '.')+1:]}
			scan.Columns, scan.Bounds = textsOf(n.Info.Projections), boundsOf(textsOf(n.Info.Filters))
			scans = append(scans, scan)
		}
		scans = appendNodes(scans, n.Children)
	}
	return scans
}

// textsOf returns the texts of a text or a list.
func textsOf(value any) (texts []string) {
	switch value := value.(type) {
	case string:
		if value != "" {
			texts = append(texts, value)
		}
	case []any:
		for _, v := range value {
			text, _ := v.(string)
			texts = append(texts, text)
		}
	}
	return texts
}
