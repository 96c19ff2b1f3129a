package splits

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/slabs"
)

// version is the first byte of a token. It changes with the format, and with the meaning of a key
// or a rank.
const version = 3

// maxToken bounds the length of a token: paths and patterns are much shorter.
const maxToken = 1 << 20

// ErrToken is the error for a text that is not a token of this version.
var ErrToken = errors.New("not a token of a split")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Token returns the split as a text of letters, digits, - and _. It contains, in this order: the
// version, the fields of Split, and a checksum of these bytes. Numbers are varints, texts begin with their length,
// and the selection is a text of JSON.
func (s *Split) Token() string {
	b := []byte{version}
	b = appendText(b, s.Path)
	b = appendText(b, s.Inner)
	b = appendText(b, s.Table)
	b = append(b, map[bool]byte{true: 1}[s.Brief])
	for _, key := range []slabs.Key{s.Range.From, s.Range.To} {
		b = binary.AppendVarint(b, int64(key.Time))
		b = binary.AppendUvarint(b, uint64(key.Rank))
	}
	selection, err := json.Marshal(&s.Selection)
	if err != nil {
		panic(err) // it has texts alone
	}
	b = appendText(b, string(selection))
	b = append(b, byte(s.Payload), byte(s.Messages))
	b = append(b, s.Trace[:]...)
	b = binary.LittleEndian.AppendUint64(b, s.Context)
	return sealed(b)
}

// sealed appends the checksum to the bytes of a token, and returns them as text.
func sealed(b []byte) string {
	return base64.RawURLEncoding.EncodeToString(binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli)))
}

func appendText(b []byte, text string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

// Parse reads a token. It does not check whether the split belongs to a trace.
func Parse(token string) (*Split, error) {
	if len(token) > maxToken {
		return nil, fmt.Errorf("%w: it has %d characters", ErrToken, len(token))
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(b) < 1+crc32.Size || !isWhole(b) {
		return nil, fmt.Errorf("%w: %q is damaged, cut off or of another program", ErrToken, shortened(token))
	}
	body := b[:len(b)-crc32.Size]
	if b[0] != version {
		return nil, fmt.Errorf("%w: it has version %d, and this program reads version %d: make the splits again", ErrToken, b[0], version)
	}
	r := &reader{rest: body[1:]}
	s := r.split()
	if r.failed || len(r.rest) > 0 {
		return nil, fmt.Errorf("%w: %q is damaged", ErrToken, shortened(token))
	}
	return s, nil
}

// isWhole reports whether the bytes of a token match their checksum.
func isWhole(b []byte) bool {
	body := len(b) - crc32.Size
	return crc32.Checksum(b[:body], castagnoli) == binary.LittleEndian.Uint32(b[body:])
}

// shortened returns the start of a token for a message.
func shortened(token string) string {
	if len(token) > 40 {
		return token[:40] + "..."
	}
	return token
}

// reader reads the bytes of a token. After a failure its results are meaningless.
type reader struct {
	rest   []byte
	failed bool
}

func (r *reader) split() *Split {
	s := &Split{Path: r.text(), Inner: r.text(), Table: r.text(), Brief: r.upTo(1) == 1}
	s.Range = slabs.Slab{From: r.key(), To: r.key()}
	if text := r.text(); !r.failed {
		r.failed = json.Unmarshal([]byte(text), &s.Selection) != nil
	}
	s.Payload, s.Messages = rows.PayloadMode(r.upTo(uint64(rows.PayloadNone))), catalog.MessageMode(r.upTo(uint64(catalog.MessagesNone)))
	copy(s.Trace[:], r.cut(len(s.Trace)))
	if context := r.cut(8); !r.failed {
		s.Context = binary.LittleEndian.Uint64(context)
	}
	r.failed = r.failed || s.Range.To.Compare(s.Range.From) < 0
	return s
}

// cut returns the next n bytes.
func (r *reader) cut(n int) []byte {
	if r.failed = r.failed || n > len(r.rest); r.failed {
		return nil
	}
	b := r.rest[:n:n]
	r.rest = r.rest[n:]
	return b
}

// upTo reads a number that is at most a limit.
func (r *reader) upTo(limit uint64) uint64 {
	n, size := binary.Uvarint(r.rest)
	if r.failed = r.failed || size <= 0 || n > limit; r.failed {
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

func (r *reader) text() string { return string(r.cut(int(r.upTo(uint64(len(r.rest)))))) }

func (r *reader) key() slabs.Key {
	t, size := binary.Varint(r.rest)
	if r.failed = r.failed || size <= 0; r.failed {
		return slabs.Key{}
	}
	r.rest = r.rest[size:]
	return slabs.Key{Time: decode.Ticks(t), Rank: int32(r.upTo(uint64(slabs.Last.Rank)))}
}
