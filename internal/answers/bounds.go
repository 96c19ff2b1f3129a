package answers

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/schema"
)

// boundsOptimizers are those of DuckDB's optimizers that put conditions where tables are scanned.
var boundsOptimizers = append([]string{"filter_pushdown"}, keptOptimizers...)

// changing are words of SQL whose values may change between a plan and the answer.
var changing = []string{"now", "today", "current_timestamp", "current_date", "current_time", "current_localtime", "current_localtimestamp", "localtime", "localtimestamp",
	"get_current_timestamp", "get_current_time", "transaction_timestamp", "random", "nextval", "tomorrow", "yesterday", "getvariable"}

// mayBeBounded reports whether a plan may show bounds of the statements.
func (s *Source) mayBeBounded() bool {
	names := false
	for i := range s.Statements {
		for _, word := range words(s.Statements[i].SQL) {
			word = strings.ToLower(word)
			if slices.Contains(changing, word) {
				return false
			}
			names = names || slices.Contains([]string{schema.TimeColumn, "timestamp", "provider_name", "provider_id"}, word)
		}
	}
	return names
}

// timeMargin is added to bounds of columns whose times have less than all digits.
const timeMargin = 2 * int64(time.Microsecond)

// boundsOf returns the bounds in the filters of a scan, which all hold, or nil if there are none.
func boundsOf(filters []string) *selection.Bounds {
	b := selection.Unbounded()
	for _, filter := range filters {
		terms, ok := conjunction(filter)
		if !ok {
			continue
		}
		for _, term := range terms {
			narrow(&b, term)
		}
	}
	if b.IsUnbounded() {
		return nil
	}
	return &b
}

// conjunction returns the conditions that a filter joins by AND. ok is false if it joins any by OR, or is
// not understood.
func conjunction(filter string) (terms []string, ok bool) {
	filter = strings.TrimSpace(filter)
	depth, start, isText := 0, 0, false
	wraps := strings.HasPrefix(filter, "(") // the first parenthesis ends at the end
	for i := 0; i < len(filter); i++ {
		switch c := filter[i]; {
		case c == '\'':
			isText = !isText // twice for a quote in a text
		case isText:
		case c == '"':
			return nil, false
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth < 0 {
				return nil, false
			}
			wraps = wraps && (depth > 0 || i == len(filter)-1)
		case depth > 0:
		case strings.HasPrefix(filter[i:], " OR "):
			return nil, false
		case strings.HasPrefix(filter[i:], " AND "):
			terms = append(terms, filter[start:i])
			start = i + len(" AND ")
			i = start - 1
		}
	}
	switch {
	case depth != 0 || isText:
		return nil, false
	case wraps:
		return conjunction(filter[1 : len(filter)-1])
	case terms == nil:
		return []string{filter}, true
	}
	var list []string
	for _, term := range append(terms, filter[start:]) {
		if inner, ok := conjunction(term); ok {
			list = append(list, inner...)
		}
	}
	return list, true
}

// narrow narrows bounds by a condition, if it is one of those that it knows.
func narrow(b *selection.Bounds, term string) {
	end := strings.IndexFunc(term, isNoName)
	if end < 0 {
		return
	}
	column, rest := term[:end], strings.TrimSpace(term[end:])
	switch column {
	case schema.TimeColumn, "timestamp":
		operator := rest[:len(rest)-len(strings.TrimLeft(rest, "<=>"))]
		if ns, ok := constantTime(column, strings.TrimSpace(rest[len(operator):])); ok {
			narrowTime(b, operator, ns, column != schema.TimeColumn)
		}
	case "provider_name", "provider_id":
		if names, ok := constantTexts(rest); ok && len(b.Providers) == 0 {
			b.Providers = names
		}
	}
}

func narrowTime(b *selection.Bounds, operator string, ns int64, isRounded bool) {
	from, to := ns, ns
	if isRounded {
		from, to = ns-timeMargin, ns+timeMargin
	}
	switch operator {
	case "=":
	case ">", ">=":
		to = math.MaxInt64
	case "<", "<=":
		from = math.MinInt64
	default:
		return
	}
	b.From, b.To = max(b.From, from), min(b.To, to)
}

// constantTime returns the ns since 1970 of a constant that is compared with a column.
func constantTime(column, text string) (ns int64, ok bool) {
	if column == schema.TimeColumn {
		if inner, isCast := cast(text, "BIGINT"); isCast {
			text = inner
		}
		ns, err := strconv.ParseInt(text, 10, 64)
		return ns, err == nil
	}
	text, isTime := strings.CutSuffix(text, "::TIMESTAMP WITH TIME ZONE")
	if inner, isCast := cast(text, "TIMESTAMP WITH TIME ZONE"); isCast && !isTime {
		text, isTime = inner, true
	}
	value, ok := literal(text)
	if !isTime || !ok {
		return 0, false
	}
	moment, err := time.Parse("2006-01-02 15:04:05.999999-07", value)
	if err != nil || moment.Year() < 1700 || moment.Year() > 2250 { // else the margin, too, could overflow
		return 0, false
	}
	return moment.UnixNano(), true
}

// constantTexts returns the texts that a column is one of, by what follows its name.
func constantTexts(rest string) (values []string, ok bool) {
	list, isList := strings.CutPrefix(rest, "IN (")
	if !isList {
		text, isEqual := strings.CutPrefix(rest, "=")
		value, ok := constantText(strings.TrimSpace(text))
		return []string{value}, isEqual && ok
	}
	if list, isList = strings.CutSuffix(list, ")"); !isList {
		return nil, false
	}
	isText, start := false, 0
	for i := 0; i <= len(list); i++ {
		if i < len(list) && list[i] == '\'' {
			isText = !isText
		}
		if i == len(list) || !isText && list[i] == ',' {
			value, ok := constantText(strings.TrimSpace(list[start:i]))
			if !ok {
				return nil, false
			}
			values, start = append(values, value), i+1
		}
	}
	return values, !isText
}

func constantText(text string) (value string, ok bool) {
	if inner, isCast := cast(text, "VARCHAR"); isCast {
		text = inner
	}
	return literal(text)
}

// cast returns what is cast to a type.
func cast(text, kind string) (inner string, ok bool) {
	if inner, ok = strings.CutPrefix(text, "CAST("); ok {
		inner, ok = strings.CutSuffix(inner, " AS "+kind+")")
	}
	return inner, ok
}

// literal returns the value of a text in quotes.
func literal(text string) (value string, ok bool) {
	if len(text) < 2 || text[0] != '\'' || text[len(text)-1] != '\'' {
		return "", false
	}
	text = text[1 : len(text)-1]
	return strings.ReplaceAll(text, "''", "'"), !strings.Contains(strings.ReplaceAll(text, "''", ""), "'") && text != ""
}
