package testenv

import (
	"crypto/sha256"
	"math/rand/v2"
)

// Seeded returns random numbers that depend only on name.
func Seeded(name string) *rand.Rand {
	return rand.New(rand.NewChaCha8(sha256.Sum256([]byte(name))))
}
