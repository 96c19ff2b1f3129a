package jsontext

import (
	"encoding/json"
	"math"
	"testing"
	"time"
)

type inner struct {
	A int    `json:"a,omitempty"`
	B string `json:",omitempty"`
}

type pointed struct{ N int }

func (p *pointed) MarshalText() ([]byte, error) { return []byte("<pointed>"), nil }

// TestIndented checks values of all kinds that JSON has, and some that it lacks, against package json.
func TestIndented(t *testing.T) {
	number, never := 3, (*int)(nil)
	for name, v := range map[string]any{
		"nil": nil, "number": -1, "text": "a", "bytes": []byte("abc"), "float": 1e21, "list": []string(nil), "no list": []int{},
		"names": map[string]int{"b": 1, "a": 2, "<": 3}, "no names": map[string]int(nil), "numbers": map[int]bool{2: true, 1: false},
		"time": time.Unix(1, 2).UTC(), "array": [2]uint8{1, 2}, "pointers": []*int{&number, nil}, "never": never,
		"options": &struct {
			inner
			Skipped string    `json:"-"`
			hidden  int       //nolint:unused // JSON must leave it out
			Quoted  int       `json:",string"`
			When    time.Time `json:"when,omitzero"`
			Inner   inner     `json:"inner,omitempty"`
			Zero    inner     `json:"zero,omitzero"`
			Any     any       `json:"any"`
			Raw     json.RawMessage
			Deep    []map[string][]inner
		}{inner: inner{B: "b"}, Any: []any{1, "x", map[string]any{"y": nil}}, Raw: json.RawMessage(`{"z":[1,{}]}`), Deep: []map[string][]inner{{"k": {{1, "v"}, {}}}, nil, {}}},
		"methods": &struct {
			P pointed
			Q *pointed
			L []pointed
		}{Q: &pointed{1}, L: []pointed{{2}}},
		"infinite": math.Inf(1), "channel": make(chan int),
	} {
		want, wantErr := json.MarshalIndent(v, "", "  ")
		got, err := Indented(v)
		if (err != nil) != (wantErr != nil) || err == nil && string(got) != string(want) {
			t.Errorf("%s: got %s, %v\nwant %s, %v", name, got, err, want, wantErr)
		}
	}
}
