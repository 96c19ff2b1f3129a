package redact

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"
	"sync"
)

// Limits bound what a learner remembers. The zero value means the defaults.
type Limits struct {
	Names int   // distinct names
	Bytes int64 // of all names together
}

// The default limits: more than the users, hosts and command lines of any trace seen so far.
const (
	defaultNames = 64 << 10
	defaultBytes = 16 << 20
)

// Learner collects the names in the rows of a trace. It is safe for use from many goroutines. The
// names it ends with do not depend on the order of the rows.
type Learner struct {
	key    *Key
	limits Limits

	mu    sync.Mutex
	known map[learned]uint64 // with the place in the order in which names are kept
	bytes int64
	lost  bool // some names were forgotten
}

// learned is a name, in lower case unless it is a command line.
type learned struct {
	of   kind
	name string
}

// Learn returns a learner that knows no names yet.
func (k *Key) Learn(o Limits) *Learner {
	o.Names, o.Bytes = cmp.Or(o.Names, defaultNames), cmp.Or(o.Bytes, defaultBytes)
	return &Learner{key: k, limits: o, known: make(map[learned]uint64)}
}

// Value learns the names in a value of a class.
func (l *Learner) Value(of Class, value string) {
	switch of {
	case Users:
		l.user(value)
	case Hosts:
		l.host(value)
	case Networks:
		l.add(network, value)
	case Commands:
		if value = strings.TrimSpace(value); len(value) >= commandBegin && strings.ContainsAny(value, " \t") {
			l.add(command, value)
		}
	}
	if of != Kept {
		l.text(value)
	}
}

// File learns the name of a file of the recording, of which texts may speak.
func (l *Learner) File(name string) {
	const ext = ".etl"
	if stem := len(name) - len(ext); stem > 0 && strings.EqualFold(name[stem:], ext) {
		l.add(file, name)
	}
}

// text learns the names that a text has in known places.
func (l *Learner) text(text string) {
	if strings.ContainsAny(text, ":=") {
		labels(text, func(from, to int, of Class) {
			switch value := text[from:to]; {
			case of == Commands || !isName(value):
			case of == Users:
				l.user(value)
			case of == Hosts:
				l.host(value)
			case of == Networks:
				l.add(network, value)
			}
		})
	}
	if !strings.ContainsAny(text, `\/`) {
		return
	}
	f := finder{text, func(from, to int, of kind) {
		switch {
		case of == user:
			l.add(user, text[from:to])
		case of == host && text[from-1] == '\\': // the hosts of URLs are not of people
			l.add(host, text[from:to])
		}
	}}
	f.paths()
}

// user learns the name of a user.
func (l *Learner) user(value string) {
	domain, name, isQualified := strings.Cut(value, `\`)
	switch {
	case isQualified && strings.Contains(name, `\`), strings.ContainsAny(value, "/@"), isSID(value):
		return
	case isQualified:
		l.host(domain)
		l.user(name)
		return
	}
	if machine, ok := strings.CutSuffix(value, "$"); ok {
		l.host(machine)
		return
	}
	l.add(user, value)
}

// host learns the name of a host.
func (l *Learner) host(value string) {
	name := strings.TrimSuffix(strings.TrimLeft(value, `\`), ".")
	if name == "" || hostName(name) != len(name) {
		return
	}
	l.add(host, name)
}

// add adds a name. Of too many, it keeps those that come first by their hash, whenever they come.
func (l *Learner) add(of kind, name string) {
	if name = strings.TrimSpace(name); of != command {
		if name = fold(name); !isFindable(name) {
			return
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	key := learned{of, name}
	if _, ok := l.known[key]; ok {
		return
	}
	sum := sha256.Sum256([]byte(string(of) + "\x00" + name))
	l.known[key] = binary.BigEndian.Uint64(sum[:])
	if l.bytes += int64(len(name)); len(l.known) >= 2*l.limits.Names || l.bytes >= 2*l.limits.Bytes {
		l.prune()
	}
}

// prune forgets the last names in the order of their hashes, until the others are within the limits.
func (l *Learner) prune() {
	order := l.ordered()
	count, bytes := 0, int64(0)
	for _, key := range order {
		if bytes += int64(len(key.name)); count == l.limits.Names || bytes > l.limits.Bytes {
			break
		}
		count++
	}
	for _, key := range order[count:] {
		l.bytes -= int64(len(key.name))
		delete(l.known, key)
		l.lost = true
	}
}

// ordered returns the names in the order of their hashes.
func (l *Learner) ordered() []learned {
	order := make([]learned, 0, len(l.known))
	for key := range l.known {
		order = append(order, key)
	}
	slices.SortFunc(order, func(a, b learned) int {
		return cmp.Or(cmp.Compare(l.known[a], l.known[b]), strings.Compare(string(a.of), string(b.of)), strings.Compare(a.name, b.name))
	})
	return order
}

// Mask returns a mask that knows the names so far, and whether there were more than the limits allow:
// those that are beyond them are replaced only where their place or form tells them.
func (l *Learner) Mask() (m *Mask, lost bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.prune()
	byKind := make(map[kind][]string)
	for _, key := range l.ordered() {
		byKind[key.of] = append(byKind[key.of], key.name)
	}
	return &Mask{l.key, newNames(l.key, byKind)}, l.lost
}
