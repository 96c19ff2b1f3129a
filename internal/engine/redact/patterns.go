package redact

import (
	"net/netip"
	"strings"
	"unicode"
	"unicode/utf8"
)

// finder looks for forms of names in a text. It calls found for each, with what it is.
type finder struct {
	text  string
	found func(from, to int, of kind)
}

// forms finds everything that has the form of a name; addresses only if wanted.
func (f *finder) forms(addresses bool) {
	if strings.IndexByte(f.text, '@') >= 0 {
		f.accounts()
	}
	if strings.Contains(f.text, "S-1-") || strings.Contains(f.text, "s-1-") {
		f.sids()
	}
	if strings.ContainsAny(f.text, `\/`) {
		f.paths()
	}
	if strings.ContainsAny(f.text, "-/") {
		f.hyphens()
	}
	if strings.ContainsAny(f.text, ":=") {
		f.signs()
	}
	if addresses {
		f.addresses()
	}
}

// accounts finds names with @, such as e-mail addresses: name@domain.tld.
func (f *finder) accounts() {
	for at := 0; ; {
		i := strings.IndexByte(f.text[at:], '@')
		if i < 0 {
			return
		}
		i += at
		at = i + 1
		from, to := i, i+1
		for from > 0 && isAccountByte(f.text[from-1]) {
			from--
		}
		for to < len(f.text) && isDomainByte(f.text[to]) {
			to++
		}
		domain := strings.TrimRight(f.text[i+1:to], ".-")
		dot := strings.LastIndexByte(domain, '.')
		if from < i && dot > 0 && dot < len(domain)-1 && !isDigits(domain[dot+1:]) {
			f.found(from, i+1+len(domain), account)
		}
	}
}

// isAccountByte reports whether a byte may be before @: those of RFC 5322 that are usual, and all
// beyond ASCII.
func isAccountByte(c byte) bool {
	return isAlnum(c) || c >= utf8.RuneSelf || strings.IndexByte("._+-'%#~", c) >= 0
}

func isDomainByte(c byte) bool { return isAlnum(c) || c >= utf8.RuneSelf || c == '.' || c == '-' }

func isAlnum(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func isDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }

// personal are the beginnings of SIDs of persons and machines; others are the same on all systems. See
// https://learn.microsoft.com/windows-server/identity/ad-ds/manage/understand-security-identifiers and
// MS-DTYP 2.4.2.4: 21 are those of domains and machines, 12-1 of Entra ID, 11-96 of Microsoft accounts.
var personal = []string{"5-21-", "12-1-", "11-96-"}

// sids finds SIDs of persons and machines.
func (f *finder) sids() {
	for at := 0; at < len(f.text); {
		i := strings.Index(f.text[at:], "-1-")
		if i < 0 {
			return
		}
		i += at
		at = i + 1
		if i == 0 || f.text[i-1]|0x20 != 's' || i > 1 && isAlnum(f.text[i-2]) {
			continue
		}
		to := i + 3
		for to < len(f.text) && (f.text[to] == '-' || '0' <= f.text[to] && f.text[to] <= '9') {
			to++
		}
		number := strings.TrimRight(f.text[i+3:to], "-")
		for _, prefix := range personal {
			if strings.HasPrefix(number, prefix) {
				f.found(i-1, i+3+len(number), sid)
				at = to
			}
		}
	}
}

// userFolders have a folder for each user in them.
var userFolders = []string{"users", "documents and settings", "home",
	"profiles$", "profile$", "users$", "home$", "homes$", "userdata$", "userprofiles$", "redirected$", "folderredirection$"} // shares

// paths finds the user folders in paths, and the hosts of network paths and URLs.
func (f *finder) paths() {
	for i := 0; i < len(f.text); i++ {
		if !isSeparator(f.text[i]) {
			continue
		}
		begin := i
		for i+1 < len(f.text) && isSeparator(f.text[i+1]) { // doubled where a text is escaped
			i++
		}
		rest := f.text[i+1:]
		switch run := f.text[begin : i+1]; {
		case run == "//" && begin > 0 && f.text[begin-1] == ':':
			f.urlHost(i + 1)
		case len(run) > 1 && strings.Trim(run, `\`) == "" && (begin == 0 || isBorder(f.text[begin-1]) && !isDrive(f.text[:begin])):
			f.networkHost(i + 1)
		}
		for _, folder := range userFolders {
			if len(rest) > len(folder) && strings.EqualFold(rest[:len(folder)], folder) && isSeparator(rest[len(folder)]) {
				f.userFolder(i + 1 + len(folder))
			}
		}
		if n := collectorHost(rest); n > 0 {
			f.host(i+1, i+1+n)
		}
		for _, device := range networkDevices {
			if len(rest) > len(device) && strings.EqualFold(rest[:len(device)], device) {
				f.deviceHost(i + 1 + len(device))
			}
		}
	}
}

func isSeparator(c byte) bool { return c == '\\' || c == '/' }

// isBorder reports whether a byte may be before a path in a text.
func isBorder(c byte) bool { return strings.IndexByte(" \t\r\n\"'=:;,<>([{|", c) >= 0 }

// isDrive reports whether a text ends with a drive, such as C:, whose path has doubled signs: a text that is escaped.
func isDrive(text string) bool {
	n := len(text)
	return n >= 2 && text[n-1] == ':' && isAlnum(text[n-2]) && (n == 2 || !isAlnum(text[n-3]))
}

// userFolder finds the name of the folder that follows separators at a position.
func (f *finder) userFolder(at int) {
	for at < len(f.text) && isSeparator(f.text[at]) {
		at++
	}
	if n := folderName(f.text[at:]); n > 0 && !isCommon(f.text[at:at+n]) {
		f.found(at, at+n, user)
	}
}

// maxFolder is the number of bytes of a folder's name that are looked through: Windows allows 255
// characters of at most 3 bytes.
const maxFolder = 3 * 255

// folderName returns the length of the name at the start of a text. A name may have spaces if a
// separator, a quote or the end of a line follows it, and if it is all that follows and its words begin with
// capitals; else it ends with the first space.
func folderName(text string) int {
	end := strings.IndexAny(text, "\\/\"<>|?*:;,\r\n\t\x00")
	if end < 0 {
		end = len(text)
	}
	if end > maxFolder {
		end = maxFolder
	}
	name := text[:end]
	if end == len(text) {
		return capitalised(name)
	}
	ended := end == len(text) || strings.IndexByte("\\/\"\r\n\x00", text[end]) >= 0
	if space := strings.IndexByte(name, ' '); space >= 0 && (!ended || strings.HasSuffix(name, " ")) {
		return space
	}
	return end
}

// maxWords bounds the words of a name with nothing behind it.
const maxWords = 4

// capitalised returns the length of the first word of a text and the words in capitals behind it, without a full stop.
func capitalised(text string) int {
	end, n := 0, 0
	for word := range strings.SplitSeq(text, " ") {
		first, _ := utf8.DecodeRuneInString(word)
		if n++; n > 1 && !unicode.IsUpper(first) || n > maxWords {
			break
		}
		if end += len(word); n > 1 {
			end++
		}
	}
	return len(strings.TrimRight(text[:end], "."))
}

// collectorHost returns the length of the name of a host at the start of a path's element that data
// collector sets of Windows' Performance Monitor name: HOST_20101029-000009. See "Prepend computer name"
// and "Subdirectory name format" in
// https://learn.microsoft.com/previous-versions/windows/it-pro/windows-server-2008-R2-and-2008/cc749337(v=ws.11).
func collectorHost(path string) int {
	const form = "_00000000-000000"
	n := hostName(path)
	for i := 1; i+len(form) <= n; i++ {
		if path[i] != '_' || i+len(form) != n {
			continue
		}
		for k := range form {
			if c := path[i+k]; form[k] == '0' && (c < '0' || c > '9') || form[k] != '0' && c != form[k] {
				return 0
			}
		}
		return i
	}
	return 0
}

// networkDevices begin paths of the kernel that continue with a host.
var networkDevices = []string{`Device\Mup\`, `Device\LanmanRedirector\`, `??\UNC\`, `?\UNC\`, `DosDevices\UNC\`, `GLOBAL??\UNC\`}

// deviceHost finds the host behind the path of a device. It may follow the letter of a drive:
// ;Z:0000000000012345\host.
func (f *finder) deviceHost(at int) {
	for strings.HasPrefix(f.text[at:], ";") {
		next := strings.IndexByte(f.text[at:], '\\')
		if next < 0 {
			return
		}
		at += next + 1
	}
	f.networkHost(at)
}

// networkHost finds the host of a network path at a position: \\host\share.
func (f *finder) networkHost(at int) {
	n := hostName(f.text[at:])
	if strings.EqualFold(f.text[at:at+n], "DfsClient") { // a part of the device, before the drive
		if at += n; at < len(f.text) && f.text[at] == '\\' {
			f.deviceHost(at + 1)
		}
		return
	}
	if n == 0 || at+n < len(f.text) && !isSeparator(f.text[at+n]) && !isBorder(f.text[at+n]) {
		return
	}
	f.host(at, at+n)
}

// urlHost finds the host of a URL at a position, and the user before it: //user:word@host:port/.
func (f *finder) urlHost(at int) {
	end := strings.IndexAny(f.text[at:], "/\\?# \t\r\n\"'<>")
	if end < 0 {
		end = len(f.text) - at
	}
	if i := strings.LastIndexByte(f.text[at:at+end], '@'); i >= 0 {
		if i > 0 {
			f.found(at, at+i, user)
		}
		at, end = at+i+1, end-i-1
	}
	if n := hostName(f.text[at : at+end]); n > 0 && !(n < end && f.text[at+n] == '=') { // LDAP://CN=
		f.host(at, at+n)
	}
}

// hostName returns the length of the name of a host, or of an IPv4 address, at the start of a text.
func hostName(text string) int {
	n := 0
	for n < len(text) && (isDomainByte(text[n]) || text[n] == '_') {
		n++
	}
	return len(strings.TrimRight(text[:n], ".-"))
}

// host reports the name of a host, which may be an address.
func (f *finder) host(from, to int) {
	name := f.text[from:to]
	ip, err := netip.ParseAddr(name)
	switch {
	case err == nil && isEverywhere(ip):
	case err == nil:
		f.found(from, to, address)
	case !isCommon(name):
		f.found(from, to, host)
	}
}

// addresses finds IPv4, IPv6 and MAC addresses.
func (f *finder) addresses() {
	for i := 0; i < len(f.text); {
		if !isAddressByte(f.text[i]) {
			i++
			continue
		}
		from := i
		for i < len(f.text) && (isAddressByte(f.text[i]) || f.text[i] == '-') {
			i++
		}
		if from > 0 && (isAlnum(f.text[from-1]) || f.text[from-1] == '_' || f.text[from-1] >= utf8.RuneSelf) ||
			i < len(f.text) && (isAlnum(f.text[i]) || f.text[i] == '_') {
			continue
		}
		f.addressIn(from, i)
	}
}

// isAddressByte reports whether a byte may be in an address.
func isAddressByte(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F' || c == '.' || c == ':'
}

// addressIn finds an address in bytes that may be in one: whole, or before or after a colon or hyphen
// of the text, as in "at 1.2.3.4: refused" and "1.2.3.4:443".
func (f *finder) addressIn(from, to int) {
	text := f.text[from:to]
	for len(text) > 0 && strings.IndexByte(".-", text[0]) >= 0 {
		text, from = text[1:], from+1
	}
	text = strings.TrimRight(text, ".-")
	if isDottedMAC(strings.TrimRight(text, ":")) {
		f.found(from, from+len("0015.5d01.0203"), address)
		return
	}
	if isMAC(strings.TrimRight(text, ":")) {
		f.found(from, from+lengthOfMAC, address)
		return
	}
	if strings.Count(text, ":") >= 2 {
		for _, part := range []string{text, strings.TrimSuffix(text, ":"), strings.TrimPrefix(text, ":")} {
			if ip, err := netip.ParseAddr(part); err == nil && strings.ContainsAny(part, "0123456789") {
				if !isEverywhere(ip) {
					at := from + strings.Index(text, part)
					f.found(at, at+len(part), address)
				}
				return
			}
		}
	}
	for at := from; at < from+len(text); {
		end := strings.IndexAny(f.text[at:from+len(text)], ":-")
		if end < 0 {
			end = from + len(text) - at
		}
		part := strings.TrimRight(f.text[at:at+end], ".")
		if ip, err := netip.ParseAddr(part); err == nil && ip.Is4() && !isEverywhere(ip) && !f.isVersion(at, part) {
			f.found(at, at+len(part), address)
		}
		at += end + 1
	}
}

// isVersion reports whether four numbers with dots at a position are a version: behind that word, as in
// Version=5.0.0.0, with zeros only behind the first number, or as a folder in a path.
func (f *finder) isVersion(at int, numbers string) bool {
	const word = "version"
	before := strings.TrimRight(f.text[:at], " \t=:\"'v")
	from := max(len(before)-len(word), 0)
	if end := at + len(numbers); at > 1 && end < len(f.text) && isSeparator(f.text[at-1]) && !isSeparator(f.text[at-2]) && isSeparator(f.text[end]) {
		return true
	}
	return strings.EqualFold(before[from:], word) || strings.HasSuffix(numbers, ".0.0.0")
}

// isEverywhere reports whether an address means the same on every machine.
func isEverywhere(ip netip.Addr) bool {
	ip = ip.Unmap()
	return ip.IsLoopback() || ip.IsUnspecified() || ip == netip.AddrFrom4([4]byte{255, 255, 255, 255}) || isWellKnownGroup(ip)
}

// isWellKnownGroup reports whether an address is that of a group which every network has, such as 224.0.0.252 and
// ff02::1:3 of LLMNR. Those with a part of an address of a device (ff02::1:ff00:1234) are not.
func isWellKnownGroup(ip netip.Addr) bool {
	b := ip.As16()
	return ip.Is4() && (b[12] == 224 && b[13] == 0 && b[14] == 0 || ip == netip.AddrFrom4([4]byte{239, 255, 255, 250})) ||
		ip.Is6() && b[0] == 0xff && b[1] <= 2 && [10]byte(b[2:12]) == [10]byte{}
}

const lengthOfMAC = len("00:00:00:00:00:00")

// isMAC reports whether a text is the address of a device: six bytes in hexadecimal, between colons or
// hyphens, that are not all 00 or all FF.
func isMAC(text string) bool {
	if len(text) != lengthOfMAC || text[2] != ':' && text[2] != '-' {
		return false
	}
	for i := range lengthOfMAC {
		if isSeparatorOfMAC := i%3 == 2; isSeparatorOfMAC != (text[i] == text[2]) || text[i] == '.' {
			return false
		}
	}
	return strings.Trim(text, "0:-") != "" && strings.Trim(text, "Ff:-") != ""
}
