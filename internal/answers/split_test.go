package answers

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSplit(t *testing.T) {
	for _, test := range []struct {
		sql  string
		want []string
	}{
		{"", nil},
		{" ;; -- nothing;\n/* ; */ ;", nil},
		{"\u00a0;", nil},
		{"SELECT 1", []string{"SELECT 1"}},
		{"SELECT 1;\nSELECT 2;\n", []string{"SELECT 1", "SELECT 2"}},
		{"SELECT ';' AS \";\", 'it''s;'; x", []string{"SELECT ';' AS \";\", 'it''s;'", "x"}},
		{`SELECT E'\';' ; x`, []string{`SELECT E'\';'`, "x"}},
		{`SELECT E'it''s \'; x'; y`, []string{`SELECT E'it''s \'; x'`, "y"}},
		{`SELECT e'\\' ; x`, []string{`SELECT e'\\'`, "x"}},
		{`SELECT '\' ; x`, []string{`SELECT '\'`, "x"}},
		{`SELECT name'\' ; x`, []string{`SELECT name'\'`, "x"}},
		{"SELECT $$;$$, $a$;$$;$a$ ; x", []string{"SELECT $$;$$, $a$;$$;$a$", "x"}},
		{"SELECT $1 ; x$y$ ; z", []string{"SELECT $1", "x$y$", "z"}},
		{"a /* ; /* ; */ ; */ b ; c -- ;\n d", []string{"a /* ; /* ; */ ; */ b", "c -- ;\n d"}},
		{"SELECT 'open ; x", []string{"SELECT 'open ; x"}},
		{`SELECT "open ; x`, []string{`SELECT "open ; x`}},
		{"SELECT 1 /* open ; x", []string{"SELECT 1 /* open ; x"}},
		{"SELECT $$ ; x", []string{"SELECT $$ ; x"}},
		{"-- one\nSELECT 1; -- two\n SELECT 2", []string{"-- one\nSELECT 1", "-- two\n SELECT 2"}},
		{"SELECT 1 -- a\r; x", []string{"SELECT 1 -- a", "x"}},
		{"/*/ ; */ x ; /**/ y", []string{"/*/ ; */ x", "/**/ y"}},
	} {
		if diff := cmp.Diff(test.want, split(test.sql)); diff != "" {
			t.Errorf("%q: -want +got:\n%s", test.sql, diff)
		}
	}
}

func FuzzSplit(f *testing.F) {
	f.Add("SELECT ';' ; /* ; */ $$;$$ -- ;")
	f.Fuzz(func(t *testing.T, sql string) {
		for i := 0; i < len(sql); {
			n, _ := token(sql, i)
			if n < 1 || i+n > len(sql) {
				t.Fatalf("%q: %d bytes at %d", sql, n, i)
			}
			i += n
		}
		for _, s := range split(sql) {
			if s == "" {
				t.Errorf("%q: an empty statement", sql)
			}
		}
	})
}

func TestForShellSpelling(t *testing.T) {
	for _, test := range []struct{ sql, want string }{
		{`SELECT E'a\'b\\', 'c\'`, `SELECT E'a''b\\', 'c\'`},
		{`SELECT e'\\\''`, `SELECT e'\\'''`},
		{"SELECT 1 /* a /* b */ c */", "SELECT 1 /* a    b    c */"},
		{"SELECT 1 --x\r+ 1", "SELECT 1 --x\n+ 1"},
		{"SELECT $$E'\\'$$, \"/* /* \"", "SELECT $$E'\\'$$, \"/* /* \""},
	} {
		if got := oneStatement(test.sql); got != test.want {
			t.Errorf("%q becomes %q, want %q", test.sql, got, test.want)
		}
	}
	const wide = "SELECT\u00a01\u3000AS \"a\u00a0b\", '\u00a0' -- \u00a0"
	if got, want := plainSpaces(wide), "SELECT  1   AS \"a\u00a0b\", '\u00a0' -- \u00a0"; got != want {
		t.Errorf("plainSpaces: %q, want %q", got, want)
	}
	for sql, want := range map[string]string{"SELECT a$b$": "a$b$", "SELECT $1, a$b, $$x$$, 'a$b$'": ""} {
		if got := dollarName(sql); got != want {
			t.Errorf("dollarName of %q is %q, want %q", sql, got, want)
		}
	}
}
