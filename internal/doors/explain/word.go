package explain

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/etl2parquet/etl2parquet/schema"
)

// word is a word in all forms that its text allows.
type word struct {
	text    string
	guid    schema.GUID
	hasGUID bool
	numbers []uint64 // a text such as 0524 is two numbers: decimal and hexadecimal
	bytes   []byte   // nil if it is not a sequence of bytes
	asked   bool     // the user requested the kind: also report values that no public source names
}

// isName reports whether the word can only be a name.
func (w *word) isName() bool { return !w.hasGUID && len(w.numbers) == 0 && w.bytes == nil }

const (
	// maxBlob bounds the bytes of a blob. The extension that a session is configured
	// with has less than 256 KiB.
	maxBlob = 1 << 20
	maxWord = 8 * maxBlob // of text
	// leastBytes is the number of bytes from which digits without separators are a sequence of
	// bytes. Fewer are a number.
	leastBytes = 8
)

// parseWord parses a text. It returns an error for a text that begins like a number or bytes,
// but does not continue like one.
//
//   - 0x and up to 16 hexadecimal digits, with ` between them as in debuggers: a number
//   - digits: a decimal number; 4 or 8 hexadecimal digits, or digits with the suffix h: a
//     hexadecimal number
//   - more hexadecimal digits, pairs of digits with spaces, commas, colons or dashes between,
//     or the value after hex: in a .reg file: bytes in this order
//   - words of 8 digits that all begin with 0x, as a debugger shows memory: bytes, the lowest
//     byte of each word first
func parseWord(text string) (*word, error) {
	w := &word{text: text}
	trimmed := strings.TrimSpace(text)
	if trimmed == "" {
		return nil, errors.New("there is nothing to explain")
	}
	if len(trimmed) > maxWord {
		return nil, fmt.Errorf("longer than %d bytes", maxWord)
	}
	if id, err := schema.ParseGUID(trimmed); err == nil {
		w.guid, w.hasGUID = id, true
		return w, nil
	}
	var err error
	if list, ok := cutRegistry(trimmed); ok {
		w.bytes, err = parsePairs(strings.FieldsFunc(list, isSeparator))
	} else if fields := strings.FieldsFunc(trimmed, isSeparator); len(fields) > 1 && isHex(strings.TrimPrefix(fields[0], "0x")) && isHex(strings.TrimPrefix(fields[1], "0x")) {
		w.bytes, err = parseBytes(fields)
	} else if digits, ok := cutPrefixFold(trimmed, "0x"); ok {
		err = w.parseHex(strings.ReplaceAll(digits, "`", ""), 2)
	} else {
		err = w.parseBare(trimmed)
	}
	if err != nil {
		return nil, err
	}
	if n := len(w.bytes); n > maxBlob {
		return nil, fmt.Errorf("longer than %d bytes", maxBlob)
	}
	w.numbers = append(w.numbers, numberOf(w.bytes)...)
	return w, nil
}

// parseBare reads digits without a prefix. Other texts are names.
func (w *word) parseBare(text string) error {
	if n, err := strconv.ParseUint(text, 10, 64); err == nil {
		w.numbers = append(w.numbers, n)
	}
	digits, suffixed := strings.CutSuffix(strings.ToLower(text), "h")
	switch {
	case !isHex(digits):
		return nil
	case suffixed || len(digits) == 4 || len(digits) == 8:
		return w.parseHex(digits, 0)
	case len(digits) >= 2*leastBytes:
		w.numbers = nil
		var err error
		w.bytes, err = parsePairs([]string{digits})
		return err
	}
	return nil
}

// parseHex reads a number or, if it is too long for one, bytes.
func (w *word) parseHex(digits string, prefix int) error {
	if !isHex(digits) {
		return errors.New("not hexadecimal digits after 0x")
	}
	if len(digits) > 16 {
		var err error
		w.bytes, err = parsePairs([]string{digits})
		return err
	}
	n, err := strconv.ParseUint(digits, 16, 64)
	if err != nil {
		return err
	}
	if len(w.numbers) == 0 || w.numbers[0] != n {
		w.numbers = append(w.numbers, n)
	}
	if prefix > 0 && len(digits) > 8 { // a word of memory
		w.bytes = binary.LittleEndian.AppendUint64(nil, n)
		w.numbers = nil
	}
	return nil
}

// parseBytes reads pairs of digits, or words that begin with 0x.
func parseBytes(fields []string) ([]byte, error) {
	if !strings.HasPrefix(fields[0], "0x") || len(fields[0]) <= 4 {
		for i, f := range fields {
			fields[i] = strings.TrimPrefix(f, "0x")
		}
		return parsePairs(fields)
	}
	var b []byte
	for _, f := range fields {
		digits, ok := strings.CutPrefix(f, "0x")
		n, err := strconv.ParseUint(digits, 16, 32)
		if !ok || err != nil || len(digits) != 8 {
			return nil, fmt.Errorf("%.20q is not a word of 0x and 8 hexadecimal digits, as the first is", f)
		}
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	return b, nil
}

// parsePairs reads bytes as pairs of hexadecimal digits.
func parsePairs(fields []string) ([]byte, error) {
	var b []byte
	for _, f := range fields {
		pairs, err := hex.DecodeString(f)
		if err != nil {
			return nil, fmt.Errorf("%.20q is not bytes, which have two hexadecimal digits each", f)
		}
		b = append(b, pairs...)
	}
	if len(b) == 0 {
		return nil, errors.New("no bytes")
	}
	return b, nil
}

// numberOf returns the number that 2 or 4 bytes encode.
func numberOf(b []byte) []uint64 {
	switch len(b) {
	case 2:
		return []uint64{uint64(binary.LittleEndian.Uint16(b))}
	case 4:
		return []uint64{uint64(binary.LittleEndian.Uint32(b))}
	}
	return nil
}

// cutRegistry returns the bytes of a value in a .reg file: hex:, or hex(b): and the like.
func cutRegistry(text string) (list string, ok bool) {
	if _, value, named := strings.Cut(text, "="); named && strings.HasPrefix(text, `"`) {
		text = value
	}
	if rest, ok := cutPrefixFold(text, "hex:"); ok {
		return rest, true
	}
	rest, ok := cutPrefixFold(text, "hex(")
	if !ok {
		return "", false
	}
	_, list, ok = strings.Cut(rest, "):")
	return list, ok
}

func cutPrefixFold(text, prefix string) (rest string, ok bool) {
	if len(text) < len(prefix) || !strings.EqualFold(text[:len(prefix)], prefix) {
		return text, false
	}
	return text[len(prefix):], true
}

func isSeparator(r rune) bool { return strings.ContainsRune(" \t\r\n,:-\\", r) }

func isHex(text string) bool {
	return text != "" && strings.IndexFunc(text, func(r rune) bool { return !strings.ContainsRune("0123456789abcdefABCDEF", r) }) < 0
}

// eachNumber reads the word as numbers of up to bits bits.
func (w *word) eachNumber(bits int, read func(n uint64) (Reading, bool)) (list []Reading, err error) {
	if len(w.numbers) == 0 {
		return nil, errors.New("not a number")
	}
	fits := false
	for _, n := range w.numbers {
		if n>>bits != 0 {
			continue
		}
		fits = true
		if r, ok := read(n); ok {
			list = append(list, r)
		}
	}
	if !fits {
		return nil, fmt.Errorf("more than %d bits", bits)
	}
	return list, nil
}
