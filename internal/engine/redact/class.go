package redact

import (
	"strings"
	"unicode"

	"github.com/etl2parquet/etl2parquet/schema"
)

// Class says what the values of a column are.
type Class uint8

// The classes.
const (
	Text     Class = iota // any text: names are looked for in it
	Kept                  // words of programs, such as names of providers and functions
	Versions              // Text in which numbers with dots are versions, not addresses
	Users
	Hosts
	Commands
	Networks  // names of Wi-Fi networks
	Addresses // of devices, perhaps without signs between the digits
	Secrets
)

// kept are columns whose values come from descriptions of events and from this program.
var kept = set("provider_id", "provider_name", "event_name", "id_source")

// keptElsewhere are kept in tables without payloads, whose columns this program names.
var keptElsewhere = set("task_name", "opcode_name", "level_name", "keyword_names", "header_table", "activity_id", "related_activity_id", "parent_guid",
	"message_guid", "message_flags_text", "functions", "symbols", "function_name", "method_name", "method_namespace", "method_signature",
	"severity", "code", "known_from", "in_type", "out_type", "field_name", "column_name", "table_name", "file_kind", "log_version_text", "clock_type",
	"sha256", "chunks_sha256", "recording", "pdb_guid", schema.FieldsColumn)

// The names of columns and fields whose values are names, without case and signs, and the ends of such
// names: "TargetUserName" ends with "username". They are the names that the manifests of Windows and
// of .NET, and classic events, have for them.
var (
	userNames = set("user", "username", "userid", "useridentity", "useraccount", "account", "accountname", "login", "loginname", "logon", "logonname",
		"samaccountname", "samname", "upn", "userprincipalname", "principal", "principalname", "owner", "ownername", "author", "operator",
		"requester", "requestername", "requestor", "callername", "membername", "fullname", "displayusername", "connecteduser", "runas", "runasuser", "serviceaccount",
		"targetuser", "subjectuser", "clientuser", "impersonateduser", "emailaddress", "email", "mailbox", "smtpaddress")
	userEnds  = []string{"username", "accountname", "useraccount", "userprincipalname", "loginname", "logonname", "useridentity", "emailaddress"}
	hostNames = set("computer", "computername", "machine", "machinename", "host", "hostname", "server", "servername", "workstation", "workstationname",
		"client", "clientname", "clientmachine", "remotehost", "remotemachine", "remoteserver", "remotecomputer", "localhost", "localmachine", "fqdn", "dnsname", "dnshostname", "queryname",
		"domain", "domainname", "netbiosname", "nodename", "targetserver", "targethost", "targetmachine", "destinationhost", "destinationhostname", "sourcehost", "dcname", "dcdnsname", "proxyserver", "proxyhost",
		"userdomain", "targetdomain", "subjectdomain", "realm", "forestname", "peername", "targetservername")
	hostEnds     = []string{"computername", "machinename", "hostname", "servername", "workstationname", "domainname", "fqdn", "netbiosname", "queryname"}
	notHosts     = []string{"appdomainname", "appdomainfriendlyname"}
	commandNames = set("commandline", "cmdline", "command", "commandlinetext", "scriptblocktext", "hostapplication", "commandinvocation", "processcommandline", "arguments", "parameters", "commandlinearguments")
	commandEnds  = []string{"commandline", "cmdline"}
	networkNames = set("ssid", "essid", "networkssid", "connectedssid", "currentssid", "targetssid", "apssid", "wlanssid", "wifissid", "dot11ssid", "ssidname", "hotspotssid", "ssidstring", "profilename", "networkname", "networkprofilename", "wlanprofilename", "wifiname")
	addressNames = set("mac", "macaddr")
	addressEnds  = []string{"macaddress", "bssid"}
	secretNames  = set("password", "passwd", "pwd", "passphrase", "userpassword", "clientsecret", "accountkey", "sharedaccesskey", "keymaterial")
	secretEnds   = []string{"password", "passphrase"}
)

func set(names ...string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, name := range names {
		m[name] = true
	}
	return m
}

// ClassOf returns the class of a column, or of a member of one, in a table.
func ClassOf(t *schema.Table, c *schema.Column) Class {
	if kept[c.Name] || keptElsewhere[c.Name] && !t.IsPayload() && (c.Name != "known_from" || c.List) || c.Name == schema.FieldsColumn {
		return Kept
	}
	return ClassOfName(c.Name)
}

// ClassOfName returns the class of a field of a payload by its name.
func ClassOfName(name string) Class {
	name = bare(name)
	switch {
	case userNames[name] || endsWith(name, userEnds):
		return Users
	case endsWith(name, notHosts):
		return Text
	case hostNames[name] || endsWith(name, hostEnds):
		return Hosts
	case commandNames[name] || endsWith(name, commandEnds):
		return Commands
	case addressNames[name] || endsWith(name, addressEnds):
		return Addresses
	case networkNames[name]: // not all that end so: ProcessID does
		return Networks
	case secretNames[name] || endsWith(name, secretEnds):
		return Secrets
	case strings.HasSuffix(name, "version"):
		return Versions
	}
	return Text
}

// bare returns the letters and digits of a name, in lower case.
func bare(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

func endsWith(name string, ends []string) bool {
	for _, end := range ends {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// common are names that every system has, and values that stand for none.
var common = set("", "-", "*", ".", "?", "n/a", "null", "(null)", "<null>", "none", "unknown", "true", "false", "default", "local", "localhost", "user", "users", "server", "client",
	"system", "localsystem", "local system", "local service", "localservice", "network service", "networkservice", "nt authority", "nt service", "builtin",
	"administrator", "administrators", "guest", "public", "all users", "default user", "defaultaccount", "wdagutilityaccount", "everyone", "anonymous", "anonymous logon",
	"font driver host", "window manager", "iis apppool", "nt virtual machine", "apppool", "workgroup", "microsoftaccount", "azuread",
	"amd64", "x64", "x86", "arm64", "ia64", "i386", "windows", "microsoft", "default.migrated", "desktop.ini", "microsoft corporation", "trustedinstaller", "self")

// isCommon reports whether a name says nothing about who or which machine it is.
func isCommon(name string) bool {
	name = fold(strings.TrimSpace(name))
	if common[name] {
		return true
	}
	for _, prefix := range []string{"umfd-", "dwm-"} { // accounts of sessions, by number
		if number, ok := strings.CutPrefix(name, prefix); ok && number != "" && strings.Trim(number, "0123456789") == "" {
			return true
		}
	}
	return false
}
