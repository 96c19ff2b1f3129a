package redact

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"hash"
	"strings"
	"sync"
	"unicode"
)

// minKey is the least number of bytes of a key: it cannot be found by trying.
const minKey = 16

// ErrKey is the error for a key that is too short.
var ErrKey = errors.New("the key of pseudonyms must have at least 16 bytes")

// Key makes pseudonyms. It is safe for use from many goroutines.
type Key struct {
	print  string
	hashes sync.Pool // of hash.Hash
}

// NewKey returns the key for a secret.
func NewKey(secret []byte) (*Key, error) {
	if len(secret) < minKey {
		return nil, ErrKey
	}
	secret = append([]byte(nil), secret...)
	k := &Key{}
	k.hashes.New = func() any { return hmac.New(sha256.New, secret) }
	k.print = k.hashed("key", "", sha256.Size)
	return k, nil
}

// Fingerprint tells keys apart. It says nothing about the key that helps to find it.
func (k *Key) Fingerprint() string { return k.print }

// kind is what a pseudonym stands for.
type kind string

const (
	user    kind = "user"
	host    kind = "host"
	account kind = "account" // with @
	address kind = "address"
	sid     kind = "sid"
	command kind = "command"
	file    kind = "file"
	network kind = "network" // of Wi-Fi
	secret  kind = "secret"
)

// pseudonymBytes is how much of the hash a pseudonym has: 40 bits are 8 letters. Of 10,000 names, two
// have the same pseudonym with a probability of 1 in 20,000.
const pseudonymBytes = 5

var letters = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// pseudonym returns the pseudonym of a name. Upper and lower case of names make no difference.
func (k *Key) pseudonym(of kind, name string) string {
	if of != command && of != secret {
		name = fold(name)
	}
	return k.hashed(of, name, pseudonymBytes)
}

// hashed returns a kind with some bytes of the keyed hash of a text.
func (k *Key) hashed(of kind, text string, bytes int) string {
	h := k.hashes.Get().(hash.Hash)
	h.Reset()
	h.Write([]byte(of)) // never fails
	h.Write([]byte{0})
	h.Write([]byte(text))
	var room [sha256.Size]byte
	sum := h.Sum(room[:0])
	k.hashes.Put(h)
	return string(of) + "-" + letters.EncodeToString(sum[:bytes])
}

// fold returns a name in the case in which names are compared.
func fold(name string) string { return strings.Map(unicode.ToLower, name) }

// traceNameBytes makes names of traces distinct for any number of traces.
const traceNameBytes = 10

// TraceName returns the pseudonym of the name of a trace, or the name if k is nil. The name is that of a
// file, which often has the name of a person or machine in it.
func (k *Key) TraceName(name string) string {
	if k == nil {
		return name
	}
	return k.hashed("trace", name, traceNameBytes)
}

// FileName returns a file name for the pseudonym of a trace.
func FileName(trace string) string { return trace + ".etl" }
