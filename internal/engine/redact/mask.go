package redact

import (
	"net/netip"
	"strings"
)

// Mask replaces names by pseudonyms. It is safe for use from many goroutines.
type Mask struct {
	key   *Key
	names *names
}

// Mask returns a mask that knows no names but their forms, for texts that are of no trace.
func (k *Key) Mask() *Mask { return &Mask{k, new(names)} }

// Text returns a text without names.
func (m *Mask) Text(text string) string { return string(m.Append(nil, Text, text)) }

// Append appends a value of a class without names.
func (m *Mask) Append(dst []byte, of Class, value string) []byte {
	switch of {
	case Kept:
		return append(dst, value...)
	case Users:
		return m.appendUser(dst, value)
	case Hosts:
		return m.appendHost(dst, value)
	case Commands, Networks, Secrets:
		return m.appendWhole(dst, kinds[of], value)
	case Addresses:
		if isPlainMAC(value) {
			return append(dst, m.key.pseudonym(address, value)...)
		}
		of = Text
	}
	var found places
	labels(value, func(from, to int, of Class) {
		if value := value[from:to]; of == Commands || isName(value) {
			found.add(from, to, kinds[of], string(m.Append(nil, of, value)))
		}
	})
	return m.appendText(dst, value, of == Text, found)
}

// kinds are the kinds of names that columns of a class have.
var kinds = [...]kind{Users: user, Hosts: host, Commands: command, Networks: network, Addresses: address, Secrets: secret}

// appendText appends a text in which names are replaced, and the places in it that were found.
func (m *Mask) appendText(dst []byte, text string, addresses bool, found places) []byte {
	m.names.findCommands(text, &found)
	f := finder{text, func(from, to int, of kind) { found.add(from, to, of, "") }}
	f.forms(addresses)
	m.names.find(text, &found)
	return found.appendReplaced(dst, text, m.key)
}

// isName reports whether a value behind a label is a name rather than a sentence.
func isName(value string) bool { return len(value) <= maxName && strings.Count(value, " ") <= 2 }

// appendWhole appends the pseudonym of a whole value; values that stand for none stay.
func (m *Mask) appendWhole(dst []byte, of kind, value string) []byte {
	if isCommon(value) {
		return append(dst, value...)
	}
	return append(dst, m.key.pseudonym(of, strings.TrimSpace(value))...)
}

// appendUser appends the name of a user: a name, DOMAIN\name, name@domain, or a SID.
func (m *Mask) appendUser(dst []byte, value string) []byte {
	domain, name, isQualified := strings.Cut(value, `\`)
	switch {
	case isQualified && !strings.Contains(name, `\`):
		dst = append(m.appendHost(dst, domain), '\\')
		return m.appendUser(dst, name)
	case strings.ContainsAny(value, `\/@`) || isSID(value):
		masked := m.appendText(nil, value, true, nil)
		if string(masked) != value {
			return append(dst, masked...)
		}
	}
	if machine, ok := strings.CutSuffix(value, "$"); ok && machine != "" { // the account of a machine
		return append(m.appendHost(dst, machine), '$')
	}
	return m.appendWhole(dst, user, value)
}

func isSID(value string) bool { return len(value) > 4 && strings.EqualFold(value[:4], "s-1-") }

// appendHost appends the name of a host: a name, \\name, a name with a port, an address or a URL.
func (m *Mask) appendHost(dst []byte, value string) []byte {
	rest := strings.TrimLeft(value, `\`)
	dst = append(dst, value[:len(value)-len(rest)]...)
	name, port, hasPort := strings.Cut(rest, ":")
	switch {
	case rest == "":
		return dst
	case strings.Contains(rest, "://") || strings.ContainsAny(rest, `\`):
		return m.appendText(dst, rest, true, nil)
	case hasPort && name != "" && port != "" && isDigits(port):
		return append(append(m.appendHost(dst, name), ':'), port...)
	}
	if ip, err := netip.ParseAddr(rest); err == nil {
		if isEverywhere(ip) {
			return append(dst, rest...)
		}
		return append(dst, m.key.pseudonym(address, rest)...)
	}
	if stem := strings.TrimSuffix(rest, "."); stem != "" { // of a full name in DNS
		return append(m.appendWhole(dst, host, stem), rest[len(stem):]...)
	}
	return append(dst, rest...)
}
