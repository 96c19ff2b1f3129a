package splits

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/slabs"
)

var samples = map[string]Split{
	"nothing": {},
	"whole":   {Path: "/traces/boot.etl", Table: "events", Range: slabs.Whole()},
	"all": {
		Path: "s3://bucket/Ångström.zip", Inner: "/a b.etl", Table: "events/Thread/CSwitch",
		Range:     slabs.Slab{From: slabs.Key{Time: -5, Rank: 3}, To: slabs.Key{Time: 1 << 60}},
		Selection: facts.Selection{Providers: []string{"a*", ""}, Events: []string{"b"}, Processes: []string{"c", "d", "e"}, Keywords: []string{"GC", "0x10"}, Level: "warning"},
		Payload:   rows.PayloadNone, Messages: catalog.MessagesAll, Trace: index.Identity{1, 2, 15: 3}, Context: 1<<64 - 1,
	},
}

// TestToken checks that a token parses to the split it was made from, and that it can be used in
// shells and URLs without quotes.
func TestToken(t *testing.T) {
	for name, s := range samples {
		t.Run(name, func(t *testing.T) {
			token := s.Token()
			if strings.Trim(token, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") != "" || token[0] == '-' {
				t.Errorf("token %s", token)
			}
			got, err := Parse(token)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(&s, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestDamagedToken checks that a token with any changed byte, or without its end, is rejected.
func TestDamagedToken(t *testing.T) {
	all := samples["all"]
	token := all.Token()
	for i := range token {
		for name, damaged := range map[string]string{
			"changed": token[:i] + string(rune('A'+(token[i]+1)%26)) + token[i+1:],
			"cut":     token[:i],
			"longer":  token[:i] + "A" + token[i:],
		} {
			if s, err := Parse(damaged); damaged != token && !errors.Is(err, ErrToken) {
				t.Errorf("%s at %d: %+v, error %v", name, i, s, err)
			}
		}
	}
	if _, err := Parse(strings.Repeat("A", maxToken+1)); !errors.Is(err, ErrToken) {
		t.Errorf("a long token: error %v", err)
	}
}

// TestHostileToken checks tokens that have a valid checksum but were not made by the program.
func TestHostileToken(t *testing.T) {
	upsideDown, all := samples["all"], samples["all"]
	upsideDown.Range = slabs.Slab{From: slabs.Last, To: slabs.First}
	later, _ := base64.RawURLEncoding.DecodeString(all.Token())
	later[0]++
	for name, body := range map[string][]byte{
		"a long text":  {version, 0xff, 0xff, 0xff, 0xff, 0x0f, 'a'},
		"a long list":  append(decoded(t, samples["nothing"])[:8], 0xff, 0xff, 0x7f),
		"no varint":    {version, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff},
		"upside down":  decoded(t, upsideDown),
		"more at end":  append(decoded(t, all), 0),
		"later format": later[:len(later)-4],
	} {
		if s, err := Parse(sealed(body)); !errors.Is(err, ErrToken) {
			t.Errorf("%s: %+v, error %v", name, s, err)
		}
	}
	if _, err := Parse(sealed(later[:len(later)-4])); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("version %d", version+1)) {
		t.Errorf("a later version: error %v", err)
	}
}

// decoded returns the bytes of a token without the checksum.
func decoded(t *testing.T, s Split) []byte {
	t.Helper()
	b, err := base64.RawURLEncoding.DecodeString(s.Token())
	if err != nil {
		t.Fatal(err)
	}
	return b[:len(b)-4]
}

// FuzzParse checks that any text is parsed without a panic, and that an accepted text is a token.
func FuzzParse(f *testing.F) {
	for _, s := range samples {
		b, err := base64.RawURLEncoding.DecodeString(s.Token())
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b[:len(b)-4])
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		s, err := Parse(sealed(body))
		if err != nil {
			if !errors.Is(err, ErrToken) {
				t.Errorf("error %v", err)
			}
			return
		}
		again, err := Parse(s.Token())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(s, again, cmpopts.EquateEmpty()); diff != "" {
			t.Error(diff)
		}
	})
}
