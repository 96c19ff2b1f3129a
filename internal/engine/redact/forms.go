package redact

import (
	"net/netip"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// machinePrefixes begin the names that Windows and clouds give to machines, and the number of letters and
// digits that follow; see https://learn.microsoft.com/windows-hardware/customize/desktop/unattend/microsoft-windows-shell-setup-computername.
var machinePrefixes = map[string]int{"desktop": 7, "laptop": 7, "win": 11, "ec2amaz": 7}

// hyphens finds what a hyphen or a slash tells: names of machines such as DESKTOP-AB12CD3, ip-10-1-2-3 and
// 2001-db8--1.ipv6-literal.net, and the values of options such as --password.
func (f *finder) hyphens() {
	for i := 0; i < len(f.text); i++ {
		c := f.text[i]
		if c != '-' && c != '/' || i+1 == len(f.text) || !isAlnum(f.text[i+1]) {
			continue
		}
		to := i + 1
		for to < len(f.text) && isAlnum(f.text[to]) {
			to++
		}
		after := f.text[i+1 : to]
		if (i == 0 || isBorder(f.text[i-1]) || f.text[i-1] == '-') && to < len(f.text) && f.text[to] == ' ' && secretNames[strings.ToLower(after)] {
			for to < len(f.text) && f.text[to] == ' ' {
				to++
			}
			if to < len(f.text) && strings.IndexByte("-/", f.text[to]) < 0 {
				f.secret(to)
			}
		}
		if c == '/' {
			continue
		}
		from := i
		for from > 0 && isAlnum(f.text[from-1]) {
			from--
		}
		if from > 0 && (strings.IndexByte("-_", f.text[from-1]) >= 0 || f.text[from-1] >= utf8.RuneSelf) {
			continue
		}
		switch word := strings.ToLower(f.text[from:i]); {
		case len(after) == machinePrefixes[word] && !isInWord(f.text, to) && (strings.ToUpper(after) == after || strings.ContainsAny(after, "0123456789")):
			f.found(from, to, host)
		case word == "ip":
			n := hostName(f.text[from:])
			first, _, _ := strings.Cut(f.text[from:from+n], ".")
			if ip, err := netip.ParseAddr(strings.ReplaceAll(first[len("ip-"):], "-", ".")); err == nil && ip.Is4() {
				f.found(from, from+n, address)
			}
		case word == "ipv6" && from > 1 && f.text[from-1] == '.' && strings.HasPrefix(strings.ToLower(f.text[i:]), "-literal.net"):
			begin := from - 1
			for begin > 0 && (isAlnum(f.text[begin-1]) || f.text[begin-1] == '-') {
				begin--
			}
			f.found(begin, i+len("-literal.net"), address)
		}
	}
}

// isInWord reports whether a letter, a digit or a hyphen follows. An underscore may: built by DESKTOP-AB12CD3_PRERELEASE.
func isInWord(text string, at int) bool {
	return at < len(text) && (isAlnum(text[at]) || text[at] == '-' || text[at] >= utf8.RuneSelf)
}

// Names of labels that are looked for within a line: fewer than those of fields, because the word before a colon
// in a sentence can mean something else.
var (
	inlineUsers = set("user", "username", "userid", "uid", "accountname", "login", "loginname", "logonname", "samaccountname", "upn", "userprincipalname", "email", "mailbox")
	inlineHosts = set("host", "hostname", "server", "servername", "computer", "computername", "machine", "machinename", "remotehost", "fqdn", "domain", "domainname", "dnsname", "workstation")
)

// signs finds what a colon or an equals sign tells: hosts with a port, values behind labels within a line, and the
// names of a directory.
func (f *finder) signs() {
	named := 0 // the end of the last name in a directory
	for i := 1; i < len(f.text); i++ {
		c := f.text[i]
		if c != ':' && c != '=' || i+1 == len(f.text) || !isAlnum(f.text[i-1]) {
			continue
		}
		if c == ':' && '0' <= f.text[i+1] && f.text[i+1] <= '9' {
			f.hostBefore(i)
		}
		if c == '=' && i > named {
			if named = f.directoryName(i); named > 0 {
				continue
			}
		}
		label := labelBefore(f.text[:i])
		last := strings.ToLower(label[strings.LastIndexAny(label, "_-.")+1:])
		switch {
		case isWorkFolder(label, f.text[i+1:]):
		case secretNames[bare(label)] || secretNames[last]:
			f.secret(i + 1)
		case inlineHosts[last]:
			f.labelled(i, host, isDomainByte)
		case inlineUsers[last], last == "id" && strings.HasSuffix(strings.ToLower(f.text[:i]), "user id"):
			f.labelled(i, user, func(c byte) bool { return isAccountByte(c) && c != '\'' && c != '%' })
		}
	}
}

// secret finds a value behind a label of secrets: in quotes, or up to the next space or sign.
func (f *finder) secret(at int) {
	for at < len(f.text) && (f.text[at] == ' ' || f.text[at] == '\\') {
		at++
	}
	to := at
	if at < len(f.text) && (f.text[at] == '"' || f.text[at] == '\'') {
		at, to = at+1, endOfQuote(f.text, at)
	} else {
		for to < len(f.text) && strings.IndexByte(" \t\r\n\x00;,&\"'<>)", f.text[to]) < 0 {
			to++
		}
	}
	if to > at && !isCommon(f.text[at:to]) {
		f.found(at, to, secret)
	}
}

// labelled finds a name directly behind the sign of a label; a host may follow a space if it has a dot.
func (f *finder) labelled(sign int, of kind, belongs func(byte) bool) {
	from := sign + 1
	if of == host && f.text[from] == ' ' {
		from++
	}
	to := from
	for to < len(f.text) && belongs(f.text[to]) {
		to++
	}
	name := strings.TrimRight(f.text[from:to], ".-'")
	to = from + len(name)
	_, end, hasDot := strings.Cut(name, ".")
	switch {
	case name == "" || isCommon(name) || !strings.ContainsFunc(name, unicode.IsLetter) || isHex(name):
	case to < len(f.text) && strings.IndexByte(`(:\/@[`, f.text[to]) >= 0 && !isPort(f.text[to:]): // a call, a URL or an account
	case of == host && (f.text[sign] == ':' || from > sign+1) && !(hasDot && isTopLevel(end[strings.LastIndexByte(end, '.')+1:])):
	default:
		f.found(from, to, of)
	}
}

// isHex reports whether a text is a number such as 0x1f.
func isHex(text string) bool { return strings.HasPrefix(text, "0x") || strings.HasPrefix(text, "0X") }

// isPort reports whether a text begins with a colon and the number of a port.
func isPort(text string) bool {
	n := 1
	for n < len(text) && '0' <= text[n] && text[n] <= '9' {
		n++
	}
	return text[0] == ':' && n > 1 && n <= 6 && !(n < len(text) && (isAlnum(text[n]) || text[n] == '_'))
}

// hostBefore finds a host with dots before the colon of a port: server1.contoso.com:443.
func (f *finder) hostBefore(colon int) {
	from := colon
	for from > 0 && (isDomainByte(f.text[from-1]) || f.text[from-1] == '_') {
		from--
	}
	name := f.text[from:colon]
	dot := strings.LastIndexByte(name, '.')
	if dot <= 0 || !isPort(f.text[colon:]) || !isTopLevel(name[dot+1:]) || from > 0 && strings.IndexByte(`\/!@:`, f.text[from-1]) >= 0 || strings.Contains(name, "..") {
		return
	}
	f.host(from, colon)
}

// fileEndings end names of files, also of sources before the number of a line. Some are domains of countries, too.
var fileEndings = set("cc", "cpp", "cxx", "hpp", "hxx", "inl", "cs", "vb", "fs", "go", "py", "js", "ts", "tsx", "jsx", "java", "kt", "rs", "rb", "php", "pl", "sh", "ps1", "psm1", "cmd", "bat", "asm", "idl", "mof", "man", "tmf", "xaml", "razor", "cshtml", "sql",
	"dll", "exe", "sys", "ocx", "drv", "cpl", "scr", "msi", "cab", "mui", "winmd", "efi", "pdb", "etl", "evtx", "log", "txt", "xml", "json", "ini", "inf", "cfg", "config", "yml", "yaml", "toml", "htm", "html", "css", "png", "jpg", "gif", "svg", "zip", "dat", "db", "tmp", "md", "so", "lib", "obj")

// isTopLevel reports whether a text can be the last part of the name of a host: lower or upper case, and no ending of files.
func isTopLevel(text string) bool {
	return len(text) > 1 && !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }) &&
		(strings.ToLower(text) == text || strings.ToUpper(text) == text) && !fileEndings[strings.ToLower(text)]
}

// directoryKinds are what parts of the name of an entry in a directory are, by their attributes. See RFC 4514.
var directoryKinds = map[string]kind{"cn": user, "uid": user, "sn": user, "ou": host, "dc": host}

// containers are the names of containers that every directory of Windows has.
var containers = set("users", "computers", "configuration", "schema", "system", "builtin", "sites", "services", "domain controllers", "microsoft", "domainupdates", "program data", "partitions", "deleted objects")

// directoryName finds the parts of a name such as CN=Bob Smith,OU=Sales,DC=contoso,DC=com with its first equals sign
// at a position, and returns where it ends; 0 if there is none. Subjects of Microsoft's certificates have the same form.
func (f *finder) directoryName(sign int) int {
	type part struct {
		from, to int
		of       kind
	}
	var parts []part
	attributes, isPublisher := 0, false
	end := 0
	for at := sign; ; {
		begin := at
		for begin > end && isAlnum(f.text[begin-1]) {
			begin--
		}
		attribute := strings.ToLower(f.text[begin:at])
		of, isKnown := directoryKinds[attribute]
		if attributes == 0 && (!isKnown || begin > 0 && !isBorder(f.text[begin-1]) && !isSeparator(f.text[begin-1])) {
			return 0
		}
		to := at + 1
		for to < len(f.text) && strings.IndexByte(",+\"'<>;\r\n\x00)", f.text[to]) < 0 {
			if to++; f.text[to-1] == '\\' && to < len(f.text) {
				to++
			}
		}
		value := f.text[at+1 : to]
		if isKnown && strings.TrimSpace(value) != "" && !isCommon(value) && !containers[strings.ToLower(value)] {
			parts = append(parts, part{at + 1, to, of})
		}
		isPublisher = isPublisher || attribute == "o" && strings.HasPrefix(value, "Microsoft")
		attributes++
		end = to
		next := to + 1 // behind the comma, up to the next equals sign
		for next < len(f.text) && f.text[next] == ' ' {
			next++
		}
		letters := next
		for next < len(f.text) && isAlnum(f.text[next]) {
			next++
		}
		if to == len(f.text) || f.text[to] != ',' || next == letters || next == len(f.text) || f.text[next] != '=' {
			break
		}
		at = next
	}
	if attributes < 2 || isPublisher {
		return 0
	}
	for _, p := range parts {
		f.found(p.from, p.to, p.of)
	}
	return end
}

// isDottedMAC reports whether a text is an address of a device in groups of four digits: 0015.5d01.0203.
func isDottedMAC(text string) bool {
	parts := strings.Split(text, ".")
	return len(parts) == 3 && !slices.ContainsFunc(parts, func(p string) bool { return len(p) != 4 || !isHexDigits(p) }) && strings.ContainsAny(text, "abcdefABCDEF")
}

// isHexDigits reports whether a text has hexadecimal digits only.
func isHexDigits(text string) bool { return strings.Trim(text, "0123456789abcdefABCDEF") == "" }

// isPlainMAC reports whether a text in a field of such addresses is one without signs: 00155D010203.
func isPlainMAC(text string) bool {
	return len(text) == 12 && isHexDigits(text) && strings.Trim(text, "0") != "" && strings.Trim(text, "Ff") != ""
}
