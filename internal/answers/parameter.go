package answers

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
)

// Parameter is a value that SQL refers to as $name, or as getvariable('name'). It is a variable of
// DuckDB: its text is never part of a statement.
type Parameter struct {
	Name    string // in lower case: DuckDB compares names of variables so
	literal string // of SQL
}

var (
	parameterName = texts.Pattern(`^[A-Za-z_][A-Za-z0-9_]*$`)
	integer       = texts.Pattern(`^-?(0|[1-9][0-9]{0,37})$`) // as HUGEINT holds them
	decimal       = texts.Pattern(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]{1,3})?$`)
	hexadecimal   = texts.Pattern(`^0[xX][0-9A-Fa-f]{1,16}$`)
)

// ParseParameter reads a parameter such as pid=1234. The value is a number if it is written as one,
// decimal or 0x..., true, false or null; otherwise it is a text. Single or double quotes around a value
// make it a text.
func ParseParameter(text string) (Parameter, error) {
	name, value, found := strings.Cut(text, "=")
	if !found {
		return Parameter{}, fmt.Errorf("%q is not NAME=VALUE", text)
	}
	return newParameter(name, literalOf(value))
}

// NewParameter returns a parameter with a value of Go: nil, a boolean, an integer, a floating-point number, a
// string, or a [time.Time], which has all its ns only as an integer.
func NewParameter(name string, value any) (Parameter, error) {
	switch v := value.(type) {
	case nil:
		return newParameter(name, "null")
	case bool, int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64:
		return newParameter(name, fmt.Sprint(v))
	case float32, float64:
		return newParameter(name, sqlText(fmt.Sprint(v))+"::DOUBLE")
	case string:
		return newParameter(name, sqlText(v))
	case time.Time:
		return newParameter(name, sqlText(v.UTC().Format("2006-01-02 15:04:05.999999Z"))+"::TIMESTAMPTZ")
	}
	return Parameter{}, fmt.Errorf("the parameter %s: a %T is no value of SQL", name, value)
}

// newParameter returns a parameter with a literal of SQL.
func newParameter(name, literal string) (Parameter, error) {
	switch {
	case !parameterName().MatchString(name):
		return Parameter{}, fmt.Errorf("%q is not a name: letters, digits and _, and no digit first", name)
	case views.IsVariable(name):
		return Parameter{}, fmt.Errorf("%q is a variable of the views: choose another name", name)
	case strings.ContainsRune(literal, 0):
		return Parameter{}, errors.New("the value has a NUL character")
	}
	return Parameter{strings.ToLower(name), literal}, nil
}

// literalOf returns the literal of SQL for the value of a parameter.
func literalOf(value string) string {
	if n := len(value); n >= 2 && (value[0] == '\'' || value[0] == '"') && value[n-1] == value[0] {
		return sqlText(value[1 : n-1])
	}
	switch lower := strings.ToLower(value); {
	case lower == "true", lower == "false", lower == "null":
		return lower
	case integer().MatchString(value):
		return value
	case decimal().MatchString(value):
		return value + "::DOUBLE"
	case hexadecimal().MatchString(value):
		n, _ := strconv.ParseUint(value[2:], 16, 64) // has at most 64 bits
		return strconv.FormatUint(n, 10)
	}
	return sqlText(value)
}

// NoValueError is the error for a $name in SQL without a parameter.
type NoValueError struct{ Name string }

// Error implements error.
func (e *NoValueError) Error() string {
	return fmt.Sprintf("the SQL has $%s, which has no value", e.Name)
}

// Bind returns SQL in which every $name of a parameter is getvariable('name'). The parameters must be in
// the options when the statements run. It returns an error if SQL uses a parameter that is not
// given, or if a given one is not used.
func Bind(sql string, parameters []Parameter) (string, error) {
	given, used := make(map[string]bool), make(map[string]bool)
	for _, p := range parameters {
		if given[p.Name] {
			return "", fmt.Errorf("the parameter %s is given twice", p.Name)
		}
		given[p.Name] = true
	}
	if preparesItself(sql) {
		return sql, nil
	}
	var b strings.Builder
	for i := 0; i < len(sql); {
		n, _ := token(sql, i)
		name := ""
		if sql[i] == '$' && n == 1 && !endsName(sql[:i]) {
			name = nameAt(sql[i+1:])
		}
		switch lower := strings.ToLower(name); {
		case name == "":
			b.WriteString(sql[i : i+n])
		case !given[lower]:
			return "", &NoValueError{name}
		default:
			used[lower] = true
			fmt.Fprintf(&b, "getvariable('%s')", lower)
			n += len(name)
		}
		i += n
	}
	lower := strings.ToLower(sql)
	for _, p := range parameters {
		if !used[p.Name] && !(strings.Contains(lower, "getvariable") && strings.Contains(lower, "'"+p.Name+"'")) {
			return "", fmt.Errorf("the SQL does not use the parameter %s: write $%[1]s", p.Name)
		}
	}
	return b.String(), nil
}

// preparesItself reports whether SQL prepares statements, whose parameters DuckDB fills.
func preparesItself(sql string) bool {
	for _, s := range split(sql) {
		if first := words(withoutComments(s)); len(first) > 0 && strings.EqualFold(first[0], "prepare") {
			return true
		}
	}
	return false
}

// nameAt returns the name at the beginning of a text, which may be empty.
func nameAt(text string) string {
	n := 0
	for n < len(text) && isNamePart(text[n]) && text[n] < 0x80 && (n > 0 || text[n] < '0' || text[n] > '9') {
		n++
	}
	return text[:n]
}

// setParameters returns SQL that sets the variables of parameters.
func setParameters(parameters []Parameter) string {
	var b strings.Builder
	for _, p := range parameters {
		fmt.Fprintf(&b, "SET VARIABLE %s = %s;\n", sqlName(p.Name), p.literal)
	}
	return b.String()
}
