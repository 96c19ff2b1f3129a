package texts

import (
	"errors"
	"fmt"
	"testing"
)

func TestMembers(t *testing.T) {
	for text, want := range map[string]string{
		`{}`:               "",
		`[]`:               "",
		`{"a":1,"a":null}`: `"a"=1 "a"=null `,
		`{"a\"}":"x\\","b":[1,{"c":"]"}],"d":-Infinity}`: `"a\"}"="x\\" "b"=[1,{"c":"]"}] "d"=-Infinity `,
		`[1, "a,b", [2, 3], NaN]`:                        `=1 ="a,b" =[2, 3] =NaN `,
	} {
		got := ""
		if err := JSONMembers([]byte(text), func(name, value []byte) { got += fmt.Sprintf("%s=%s ", name, value) }); err != nil || got != want {
			t.Errorf("%s has %s, error %v, want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"", "{", "1", `{"a":1`, `{"a"`, `{"a":}`, `{"a`, `["a`, `{1,2}`, "[:]", `{"a":"x\`} {
		if err := JSONMembers([]byte(text), func(_, _ []byte) {}); !errors.Is(err, ErrCutJSON) {
			t.Errorf("%s: error %v", text, err)
		}
	}
}
