package answers

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/lake/views"
)

// expressionFunctions are the functions and operators of DuckDB that expressions in sources may call: they compute a
// value from values, in time and memory that these bound.
var expressionFunctions = strings.Fields(`
	+ - * / // % || ~~ ~~* !~~ !~~* -> ->> & | << >> ~ ^@
	abs array_extract bin ceil chr coalesce concat concat_ws contains decode encode ends_with epoch_ms epoch_ns floor format from_base64 greatest hex
	if ifnull instr json_extract json_extract_string json_valid least left len length list_any_value list_contains list_element list_extract list_filter
	list_first list_last list_position list_reverse list_slice list_sort list_string_agg list_transform list_zip lower ltrim make_timestamp_ns make_timestamptz
	map_extract nullif octet_length ord parse_filename position prefix regexp_extract regexp_extract_all regexp_full_match regexp_matches regexp_replace replace
	reverse right round rtrim sign split split_part starts_with str_split string_split strip_accents strlen strpos struct_extract struct_pack substr substring
	suffix to_days to_hours to_microseconds to_milliseconds to_minutes to_seconds translate trim trunc try_strptime unhex upper url_decode row list_value
	to_json xor array_to_string list_aggregate`)

// expressionClasses are the kinds of node, in DuckDB's tree, that an expression in a source may have.
var expressionClasses = strings.Fields("CASE CAST COMPARISON CONJUNCTION CONSTANT COLUMN_REF FUNCTION OPERATOR BETWEEN LAMBDA COLLATE")

// FaultError means that a source names what is no column of its events.
type FaultError struct {
	Place string // the source
	views.Fault
}

func (e *FaultError) Error() string {
	return fmt.Sprintf("%s: %s has no field %s; %s", e.Place, e.Event, e.Name, e.Hint)
}

// errExpression means that a source has more than an expression.
var errExpression = errors.New("a source has expressions over the columns of its events only")

// checkExpressions refuses the sources of users' views in which an expression is more than that, according to DuckDB, or
// names what is no column.
func checkExpressions(p *process, set *views.Set, list []*views.View) (wrong error) {
	type expression struct{ place, sql string }
	var all []expression
	for _, v := range list {
		for _, s := range v.Sources {
			place := fmt.Sprintf("%s/%s.toml of %s", v.Name, s.File, v.Folder)
			if faults := set.Faults(s); wrong == nil && len(faults) > 0 {
				wrong = &FaultError{place, faults[0]}
			}
			expressions := s.Expressions()
			for _, what := range slices.Sorted(maps.Keys(expressions)) {
				all = append(all, expression{place + ": " + what, expressions[what]})
			}
		}
		for _, e := range v.MergeExpressions() {
			all = append(all, expression{fmt.Sprintf("%s of %s: merge", v.Name, v.Folder), e})
		}
	}
	if all == nil {
		return wrong
	}
	script := new(strings.Builder)
	for _, e := range all {
		fmt.Fprintf(script, "SELECT json_serialize_sql(%s);\n", sqlText("SELECT "+e.sql))
	}
	lines, err := p.ask(script.String())
	if err != nil {
		return err
	}
	for i, line := range lines {
		if err := checkExpression(line); err != nil {
			return fmt.Errorf("%s: %w", all[i].place, err)
		}
	}
	return wrong
}

// checkExpression checks DuckDB's tree of a SELECT of an expression.
func checkExpression(answer string) error {
	var parsed struct {
		Error      bool
		Message    string `json:"error_message"`
		Statements []struct {
			Node map[string]any
		}
	}
	switch err := json.Unmarshal([]byte(answer), &parsed); {
	case err != nil:
		return err
	case parsed.Error:
		return errors.New(parsed.Message)
	case len(parsed.Statements) != 1:
		return errExpression
	}
	node := parsed.Statements[0].Node
	list, _ := node["select_list"].([]any)
	from, _ := node["from_table"].(map[string]any)
	if node["type"] != "SELECT_NODE" || len(list) != 1 || from["type"] != "EMPTY" {
		return errExpression
	}
	for name, part := range node {
		switch name {
		case "type", "select_list", "from_table", "cte_map", "aggregate_handling":
		default: // clauses
			if items, isList := part.([]any); part != nil && (!isList || len(items) > 0) {
				return fmt.Errorf("%w, and no %s", errExpression, strings.ReplaceAll(name, "_", " "))
			}
		}
	}
	if top, _ := list[0].(map[string]any); top["alias"] != "" {
		return fmt.Errorf("%w, without a name", errExpression)
	}
	return checkPart(list[0])
}

func checkPart(part any) error {
	switch part := part.(type) {
	case []any:
		for _, p := range part {
			if err := checkPart(p); err != nil {
				return err
			}
		}
	case map[string]any:
		class, isNode := part["class"].(string)
		function, _ := part["function_name"].(string)
		switch {
		case isNode && !slices.Contains(expressionClasses, class):
			return fmt.Errorf("%w, and no %s", errExpression, strings.ToLower(strings.ReplaceAll(class, "_", " ")))
		case class == "FUNCTION" && !slices.Contains(expressionFunctions, strings.ToLower(function)):
			return fmt.Errorf("%w, and may not call %s", errExpression, function)
		case class == "CONSTANT":
			return nil // its value has parts of its own
		}
		for _, p := range part {
			if err := checkPart(p); err != nil {
				return err
			}
		}
	}
	return nil
}
