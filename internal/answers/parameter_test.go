package answers

import "testing"

func TestParseParameter(t *testing.T) {
	for _, test := range []struct{ text, name, literal, wrong string }{
		{text: "pid=1234", name: "pid", literal: "1234"},
		{text: "PID=-1", name: "pid", literal: "-1"},
		{text: "big=18446744073709551615", name: "big", literal: "18446744073709551615"},
		{text: "huge=1234567890123456789012345678901234567890", name: "huge", literal: "1234567890123456789012345678901234567890::DOUBLE"},
		{text: "at=1.5e3", name: "at", literal: "1.5e3::DOUBLE"},
		{text: "address=0xFFFFFFFFFFFFFFFF", name: "address", literal: "18446744073709551615"},
		{text: "wide=0x10000000000000000", name: "wide", literal: "'0x10000000000000000'"},
		{text: "zip=007", name: "zip", literal: "'007'"},
		{text: "name=explorer.exe", name: "name", literal: "'explorer.exe'"},
		{text: "name=it's; DROP TABLE x --", name: "name", literal: "'it''s; DROP TABLE x --'"},
		{text: "name='1234'", name: "name", literal: "'1234'"},
		{text: `name="a'b"`, name: "name", literal: "'a''b'"},
		{text: "name='", name: "name", literal: "''''"},
		{text: "name=", name: "name", literal: "''"},
		{text: "equal=a=b", name: "equal", literal: "'a=b'"},
		{text: "yes=TRUE", name: "yes", literal: "true"},
		{text: "none=null", name: "none", literal: "null"},
		{text: "Microsoft-Windows-Kernel-Process", wrong: `"Microsoft-Windows-Kernel-Process" is not NAME=VALUE`},
		{text: "=1", wrong: `"" is not a name: letters, digits and _, and no digit first`},
		{text: "1a=1", wrong: `"1a" is not a name: letters, digits and _, and no digit first`},
		{text: `a"=1`, wrong: `"a\"" is not a name: letters, digits and _, and no digit first`},
		{text: "dataset_root=/etc", wrong: `"dataset_root" is a variable of the views: choose another name`},
		{text: "Trace_Starts=/etc", wrong: `"Trace_Starts" is a variable of the views: choose another name`},
		{text: "a=\x00", wrong: "the value has a NUL character"},
	} {
		p, err := ParseParameter(test.text)
		if err == nil != (test.wrong == "") || err != nil && err.Error() != test.wrong || p.Name != test.name || p.literal != test.literal {
			t.Errorf("%q: %+v, %v", test.text, p, err)
		}
	}
}

func TestBind(t *testing.T) {
	parameters := []Parameter{{"pid", "1"}, {"name", "'x'"}}
	for _, test := range []struct{ sql, want, wrong string }{
		{sql: "SELECT $pid, $Name", want: "SELECT getvariable('pid'), getvariable('name')"},
		{sql: "SELECT $pid+1, f($name)", want: "SELECT getvariable('pid')+1, f(getvariable('name'))"},
		{sql: "SELECT '$x', \"$x\", $$ $x $$, $a$ $x $a$ -- $x\n/* $x */, $pid, $name", want: "SELECT '$x', \"$x\", $$ $x $$, $a$ $x $a$ -- $x\n/* $x */, getvariable('pid'), getvariable('name')"},
		{sql: "SELECT $1, x$pid, $pid, getvariable('NAME')", want: "SELECT $1, x$pid, getvariable('pid'), getvariable('NAME')"},
		{sql: "SELECT $pid, $other, $name", wrong: "the SQL has $other, which has no value"},
		{sql: "SELECT $pid", wrong: "the SQL does not use the parameter name: write $name"},
		{sql: "SELECT $pid, '$name'", wrong: "the SQL does not use the parameter name: write $name"},
		{sql: "PREPARE p AS SELECT $x; EXECUTE p(x := 1)", want: "PREPARE p AS SELECT $x; EXECUTE p(x := 1)"},
	} {
		sql, err := Bind(test.sql, parameters)
		if sql != test.want || err == nil != (test.wrong == "") || err != nil && err.Error() != test.wrong {
			t.Errorf("%s: %s, %v", test.sql, sql, err)
		}
	}
	if _, err := Bind("SELECT $pid", []Parameter{{"pid", "1"}, {"pid", "2"}}); err == nil || err.Error() != "the parameter pid is given twice" {
		t.Error(err)
	}
}
