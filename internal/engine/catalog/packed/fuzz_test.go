package packed

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"reflect"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/schema"
)

// FuzzOpen opens arbitrary bytes. The providers of a valid file can be packed and read back.
func FuzzOpen(f *testing.F) {
	f.Add(small(f))
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := Open(data)
		if err != nil {
			return
		}
		for _, e := range c.Entries() {
			if p, err := c.Provider(e.GUID); err == nil && p != nil {
				comesBack(t, p, c.Builds)
			}
		}
	})
}

// FuzzBlock reads arbitrary bytes as the events of a provider, without the compression, which hides
// them from the fuzzer. The layouts must accept any payload.
func FuzzBlock(f *testing.F) {
	for _, p := range parse(f, []byte(smallManifest)) {
		var b block
		for i := range p.Events {
			if err := b.add(&p.Events[i], p.Name); err != nil {
				f.Fatal(err)
			}
		}
		f.Add(b.bytes(), []byte("\x01\x00\x00\x00\x02\x00\x01\x00a\x02\x00bc"))
	}
	builds := []int{19041, 26100}
	f.Fuzz(func(t *testing.T, data, payload []byte) {
		p := &Provider{GUID: schema.GUID{1}, Name: "P"}
		if unpack(data, p, builds) != nil {
			return
		}
		comesBack(t, p, builds)
		for i := range p.Events {
			var spans []decode.Span
			l := decode.NewLayout(&p.Events[i].Event, p.Events[i].Version, 8)
			if _, fit := l.Locate(payload, spans); fit.Used > len(payload) {
				t.Errorf("%d of %d bytes are used", fit.Used, len(payload))
			}
		}
	})
}

// comesBack checks that a packed provider reads back the same.
func comesBack(t *testing.T, p *Provider, builds []int) {
	t.Helper()
	var b block
	b.builds = builds
	for i := range p.Events {
		if err := b.add(&p.Events[i], p.Name); err != nil {
			t.Fatal(err)
		}
	}
	again := &Provider{GUID: p.GUID, Name: p.Name, OtherNames: p.OtherNames}
	if err := unpack(b.bytes(), again, builds); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(p.Events, again.Events) {
		t.Errorf("%+v came back as %+v", p.Events, again.Events)
	}
}

// TestClaims checks that a false size is rejected before memory of that size is allocated.
func TestClaims(t *testing.T) {
	good := small(t)
	for at := range 4 {
		bad := bytes.Clone(good)
		binary.LittleEndian.PutUint32(bad[len(magic)+4*at:], 1<<31)
		if _, err := Open(bad); err == nil {
			t.Errorf("size %d of 2 GiB is accepted", at)
		}
	}
	index := appendNumbers(nil, 0, 1<<40)
	file := fileOf(t, index)
	if _, err := Open(file); err == nil {
		t.Error("a file of 2^40 providers is accepted")
	}
}

// fileOf returns a file with an index.
func fileOf(t *testing.T, index []byte) []byte {
	t.Helper()
	encoder, err := newEncoder(nil)
	if err != nil {
		t.Fatal(err)
	}
	small := encoder.EncodeAll(index, nil)
	file := []byte(magic)
	for _, n := range []uint32{uint32(len(small)), uint32(len(index)), crc32.Checksum(small, castagnoli), 0} {
		file = binary.LittleEndian.AppendUint32(file, n)
	}
	return append(file, small...)
}
