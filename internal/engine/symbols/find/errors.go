package find

import (
	"errors"
	"fmt"
	"strings"
)

// ErrNotFound means that no place has a matching file. The error is a *NotFoundError.
var ErrNotFound = errors.New("not found")

// NotFoundError says what each place has instead.
type NotFoundError struct {
	What  string // the file, with its identity
	Tried []Tried
}

// Tried is a place without the file.
type Tried struct {
	Place string
	Err   error // ErrNotFound if it has no such file, or why its file is not used
}

func (e *NotFoundError) tried(place string, err error) {
	e.Tried = append(e.Tried, Tried{place, err})
}

func (e *NotFoundError) Error() string {
	var b strings.Builder
	b.WriteString(e.What + " was not found")
	for i, t := range e.Tried {
		b.WriteString([]string{": ", "; "}[min(i, 1)])
		if errors.Is(t.Err, ErrNotFound) {
			b.WriteString("not in " + t.Place)
		} else {
			fmt.Fprintf(&b, "%s: %v", t.Place, t.Err)
		}
	}
	return b.String()
}

// Is reports whether the target is ErrNotFound.
func (e *NotFoundError) Is(target error) bool { return target == ErrNotFound }

// MismatchError means that a file has the right name but another identity.
type MismatchError struct {
	Path, Has, Want string
}

func (e *MismatchError) Error() string {
	return fmt.Sprintf("%s is another one: it has %s, and %s is needed", e.Path, e.Has, e.Want)
}
