package answers

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAppendMembers(t *testing.T) {
	for text, want := range map[string][]string{
		`{}`: nil, `[]`: nil, `{"a":1,"a":null}`: {"1", "null"},
		`{"a\"}":"x\\","b":[1,{"c":"]"}],"d":-Infinity}`: {`"x\\"`, `[1,{"c":"]"}]`, "-Infinity"},
		`[1, "a,b", [2, 3], NaN]`:                        {"1", `"a,b"`, "[2, 3]", "NaN"},
	} {
		got, err := appendMembers(nil, []byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
		var texts []string
		for _, value := range got {
			texts = append(texts, string(value))
		}
		if diff := cmp.Diff(want, texts); diff != "" {
			t.Errorf("%s: -want +got:\n%s", text, diff)
		}
	}
	for _, text := range []string{"", "{", "1", `{"a":1`, `{"a"`, `{"a":}`, `{"a`, `["a`, `{1,2}`, "[:]", `{"a":"x\`} {
		if got, err := appendMembers(nil, []byte(text)); err == nil {
			t.Errorf("%s is %q, and no error", text, got)
		}
	}
}

func FuzzAppendMembers(f *testing.F) {
	f.Add([]byte(`{"a":[1,"\""],"b":NaN}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		values, _ := appendMembers(nil, text)
		for _, value := range values {
			if len(value) == 0 {
				t.Errorf("%q has an empty value", text)
			}
		}
	})
}
