package redact

import (
	"errors"
	"strings"
	"testing"
)

func testKey(t *testing.T) *Key {
	t.Helper()
	k, err := NewKey([]byte("a secret of the tests"))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// pseudonyms replaces <kind name> in a text by the pseudonym of the name.
func pseudonyms(k *Key, text string) string {
	for {
		before, rest, ok := strings.Cut(text, "<")
		if !ok {
			return text
		}
		of, rest, _ := strings.Cut(rest, " ")
		name, after, _ := strings.Cut(rest, ">")
		text = before + k.pseudonym(kind(of), name) + after
	}
}

// TestValues masks values of each class, without any name that was learned.
func TestValues(t *testing.T) {
	tests := []struct {
		of          Class
		value, want string // pseudonyms as <kind name>
	}{
		{Users, "bob", "<user bob>"},
		{Users, "BOB", "<user bob>"},
		{Users, `CONTOSO\bob`, `<host contoso>\<user bob>`},
		{Users, `NT AUTHORITY\SYSTEM`, `NT AUTHORITY\SYSTEM`},
		{Users, "PC-17$", "<host pc-17>$"},
		{Users, "bob@contoso.com", "<account bob@contoso.com>"},
		{Users, "S-1-5-21-1-2-3-1001", "<sid S-1-5-21-1-2-3-1001>"},
		{Users, "S-1-5-18", "<user S-1-5-18>"},
		{Users, "DWM-1", "DWM-1"},
		{Users, "", ""},
		{Users, "Bob Smith", "<user bob smith>"},
		{Users, `C:\Users\bob`, `C:\Users\<user bob>`},
		{Hosts, "pc17.contoso.com.", "<host pc17.contoso.com>."},
		{Hosts, `\\PC17`, `\\<host pc17>`},
		{Hosts, "pc17:8080", "<host pc17>:8080"},
		{Hosts, "localhost", "localhost"},
		{Hosts, "10.1.2.3", "<address 10.1.2.3>"},
		{Hosts, "10.1.2.3:443", "<address 10.1.2.3>:443"},
		{Hosts, "127.0.0.1", "127.0.0.1"},
		{Hosts, "https://pc17/x", "https://<host pc17>/x"},
		{Commands, `"C:\x.exe" /user:bob`, `<command "C:\x.exe" /user:bob>`},
		{Commands, "", ""},
		{Networks, "Bob's home 5G", "<network bob's home 5g>"},
		{Addresses, "00155D010203", "<address 00155d010203>"},
		{Addresses, "00-15-5D-01-02-03", "<address 00-15-5d-01-02-03>"},
		{Addresses, "000000000000", "000000000000"},
		{Secrets, "hunter2", "<secret hunter2>"},
		{Kept, `C:\Users\bob`, `C:\Users\bob`},
		{Versions, "4.5.6.7", "4.5.6.7"},
		{Versions, `4.5 C:\Users\bob`, `4.5 C:\Users\<user bob>`},
	}
	k := testKey(t)
	for _, test := range tests {
		if got, want := string(k.Mask().Append(nil, test.of, test.value)), pseudonyms(k, test.want); got != want {
			t.Errorf("class %d: %q gives %q, want %q", test.of, test.value, got, want)
		}
	}
}

// TestTexts masks texts, without any name that was learned.
func TestTexts(t *testing.T) {
	tests := []struct{ text, want string }{
		{`C:\Users\bob\AppData\x.dll`, `C:\Users\<user bob>\AppData\x.dll`},
		{`\Device\HarddiskVolume2\USERS\Bob\x`, `\Device\HarddiskVolume2\USERS\<user bob>\x`},
		{`c:/users/bob`, `c:/users/<user bob>`},
		{`C:\\Users\\bob\\x`, `C:\\Users\\<user bob>\\x`},
		{`C:\Users\Bob Smith\x`, `C:\Users\<user bob smith>\x`},
		{`in C:\Users\bob and D:\x`, `in C:\Users\<user bob> and D:\x`},
		{`C:\Documents and Settings\bob\x`, `C:\Documents and Settings\<user bob>\x`},
		{`/home/bob/x`, `/home/<user bob>/x`},
		{`C:\Users\Public\x`, `C:\Users\Public\x`},
		{`\\FS9\share\x`, `\\<host fs9>\share\x`},
		{`\Device\Mup\FS1\share\x`, `\Device\Mup\<host fs1>\share\x`},
		{`\Device\Mup\;Z:000\FS1\share`, `\Device\Mup\;Z:000\<host fs1>\share`},
		{`\\DfsClient\;Z:00\FS1\share`, `\\DfsClient\;Z:00\<host fs1>\share`},
		{`\??\UNC\FS1\share`, `\??\UNC\<host fs1>\share`},
		{`\\?\C:\x`, `\\?\C:\x`},
		{`\\.\pipe\x`, `\\.\pipe\x`},
		{`C:\PerfLogs\Admin\PC17_20101029-000009\a.etl`, `C:\PerfLogs\Admin\<host pc17>_20101029-000009\a.etl`},
		{`see https://intranet.contoso.com:8443/a?b=1`, `see https://<host intranet.contoso.com>:8443/a?b=1`},
		{`https://bob:pw@host1/x`, `https://<user bob:pw>@<host host1>/x`},
		{`mail bob.smith@contoso.co.uk.`, `mail <account bob.smith@contoso.co.uk>.`},
		{`lib@1.2.3 is no account`, `lib@1.2.3 is no account`},
		{`\REGISTRY\USER\S-1-5-21-10-20-30-1001_Classes`, `\REGISTRY\USER\<sid S-1-5-21-10-20-30-1001>_Classes`},
		{`S-1-12-1-1-2-3-4 and S-1-5-32-544`, `<sid S-1-12-1-1-2-3-4> and S-1-5-32-544`},
		{`s-1-11-96-3623454863-58364-18864 and S-1-11-9`, `<sid s-1-11-96-3623454863-58364-18864> and S-1-11-9`},
		{`connect 10.1.2.3:443 failed`, `connect <address 10.1.2.3>:443 failed`},
		{`10.1.2.3, 10.1.2.4.`, `<address 10.1.2.3>, <address 10.1.2.4>.`},
		{`[fe80::1%12]:80`, `[<address fe80::1>%12]:80`},
		{`::ffff:10.1.2.3;`, `<address ::ffff:10.1.2.3>;`},
		{`2001:db8::a:1: refused`, `<address 2001:db8::a:1>: refused`},
		{`to ff02::1:ff00:1234`, `to <address ff02::1:ff00:1234>`},
		{`at 12:34:56`, `at 12:34:56`},
		{`std::dead::beef`, `std::dead::beef`},
		{`Fa::Add`, `Fa::Add`},
		{`Version=4.5.6.7, v10.0.19041.1`, `Version=4.5.6.7, v10.0.19041.1`},
		{`mac 00-15-5D-01-02-03`, `mac <address 00-15-5D-01-02-03>`},
		{`mac 00:15:5d:01:02:03.`, `mac <address 00:15:5d:01:02:03>.`},
		{`mac FF-FF-FF-FF-FF-FF`, `mac FF-FF-FF-FF-FF-FF`},
		{"Account Name:\t\tbob\r\nAccount Domain:\tX", "Account Name:\t\t<user bob>\r\nAccount Domain:\tX"},
		{"  HostApplication=pwsh.exe -c secret\n  HostVersion=7", "  HostApplication=<command pwsh.exe -c secret>\n  HostVersion=7"},
		{"        User = CONTOSO\\bob\n", "        User = <host contoso>\\<user bob>\n"},
		{`{"UserName":"bob","n":1}`, `{"UserName":"<user bob>","n":1}`},
		{`{"commandLine": "a.exe \"b\" c"}`, `{"commandLine": "<command a.exe \"b\" c>"}`},
		{`<Data Name='TargetUserName'>bob</Data>`, `<Data Name='TargetUserName'>(user)</Data>`},
		{`<user name="bob"/>`, `<user name="bob"/>`},
		{`Send to host:login.live.com`, `Send to host:<host login.live.com>`},
		{`Send to host:login.live.com:443 failed`, `Send to host:<host login.live.com>:443 failed`},
		{`Host: login.live.com port 1 of many others`, `Host: <host login.live.com> port 1 of many others`},
		{`retry, server=SRV9, user=bob.`, `retry, server=<host srv9>, user=<user bob>.`},
		{`C:\Users\Bob Smith`, `C:\Users\<user bob smith>`},
		{`in C:\Users\Bob Smith.`, `in C:\Users\<user bob smith>.`},
		{`no C:\Users\bob here`, `no C:\Users\<user bob> here`},
		{`CN=Bob Smith,OU=Sales,CN=Users,DC=contoso,DC=com`, `CN=<user bob smith>,OU=<host sales>,CN=Users,DC=<host contoso>,DC=<host com>`},
		{`<LDAP://CN=Smith\, Bob,DC=contoso>`, `<LDAP://CN=(escaped),DC=(contoso)>`},
		{`on DESKTOP-AB12CD3, LAPTOP-1234567 and WIN-ABCDEFGHI12.`, `on <host desktop-ab12cd3>, <host laptop-1234567> and <host win-abcdefghi12>.`},
		{`built by: DESKTOP-71NH28S_PRERELEASE`, `built by: <host desktop-71nh28s>_PRERELEASE`},
		{`to server1.contoso.com:443 now`, `to <host server1.contoso.com>:443 now`},
		{`\\FS9\profiles$\bob`, `\\<host fs9>\profiles$\<user bob>`},
		{`mac 0015.5d01.0203`, `mac <address 0015.5d01.0203>`},
		{`\\2001-db8--1.ipv6-literal.net\x`, `\\<host 2001-db8--1.ipv6-literal.net>\x`},
		{`at 2001-db8--1.ipv6-literal.net`, `at <address 2001-db8--1.ipv6-literal.net>`},
		{`from ip-10-1-2-3 and ip-10-1-2-3.ec2.internal`, `from <address ip-10-1-2-3> and <address ip-10-1-2-3.ec2.internal>`},
		{`Profile Name: Bob 5G`, `Profile Name: <network bob 5g>`},
		{`{"ssid":"Bob5G"}`, `{"ssid":"<network bob5g>"}`},
		{`Server=.;User Id=sa1;Pwd=hunter2;x=1`, `Server=.;User Id=<user sa1>;Pwd=<secret hunter2>;x=1`},
		{`a.exe --password hunter2 -v`, `a.exe --password <secret hunter2> -v`},
		{`a.exe /password:"hunter 2" -v`, `a.exe /password:"<secret hunter 2>" -v`},
		{`\Device\Mup\DfsClient\;Z:00\FS1\share`, `\Device\Mup\DfsClient\;Z:00\<host fs1>\share`},
		{`Author="Bob Smith"`, `Author="<user bob smith>"`},
		{`nothing: to see here`, `nothing: to see here`},
		{``, ``},
	}
	k := testKey(t)
	for _, test := range tests {
		want := test.want
		if strings.HasPrefix(want, "<Data") {
			want = strings.Replace(want, "(user)", k.pseudonym(user, "bob"), 1)
		} else if strings.HasPrefix(want, "<LDAP") {
			want = strings.NewReplacer("(escaped)", k.pseudonym(user, `Smith\, Bob`), "(contoso)", k.pseudonym(host, "contoso")).Replace(want)
		} else if !strings.HasPrefix(want, "<user name") {
			want = pseudonyms(k, want)
		}
		if got := k.Mask().Text(test.text); got != want {
			t.Errorf("%q gives\n%q, want\n%q", test.text, got, want)
		}
	}
}

// TestStays masks texts that have no names, although parts of them have a form that names could have.
func TestStays(t *testing.T) {
	m := testKey(t).Mask()
	for _, text := range []string{
		"Windows 10.0.19041 build lab 19041.1.amd64fre.vb_release.191206-1406", "Version=10.0.19041.1", `C:\Program Files\EdgeUpdate\1.3.135.31\msedgeupdate.dll`,
		"1da87e53-152b-403e-98dc-74d7b4d63d59", "{22FB2CD6-0E7B-422B-A0C7-2FAD1FD0E716}", "ntdll.dll", "ntdll.dll!RtlUserThreadStart", "kernel32!BaseThreadInitThunk+0x14",
		"ntdll.dll:80", "main.cpp:123: error", "System.Net.Http:12", "System.Net.Http.HttpClient", "Microsoft-Windows-Kernel-Process/ProcessStart", "Thread/CSwitch",
		"0xfffff80000011010", "fffff8000001", "00155d010203", "sha1 da39a3ee5e6b4b0d3255bfef95601890afd80709", "12:34:56.789", "2024-05-01T12:00:00.2500000Z", "2024-05-01 12:00:02.5",
		"1.3.6.1.4.1.311.10.3.6", "S-1-5-18", "std::vector::at", "host::Run()", "Machine::Start:12", "user:0x1f", "Domain:4", "machine=x64", "Server=true", "Client=0",
		"desktop-related", "laptop-friendly", "win-like", "ip-address", "x-ip-1-2", "CN=Microsoft Windows, OU=MOPR, O=Microsoft Corporation, L=Redmond, C=US", "C=1,D=2", "to 224.0.0.252, 239.255.255.250 and ff02::1:3", `\Device\Mup\DfsClient`, "PWD=/work", "$PWD:/data", `"C:\\tools\\duckdb.exe"`, "ProcessID: x.y", "owner := found", "machine == nil", `Author="Microsoft Corporation"`, `C:\Users\desktop.ini`, `C:\Users\Public\desktop.ini`,
		"key=value,other=value", "password policy", "--passwords all", "Waiting for user: press a key", "state: waiting", "https:", "a=b", "x:1", "Users: 5", "profiles: 3",
	} {
		if got := m.Text(text); got != text {
			t.Errorf("%q gives %q", text, got)
		}
	}
}

// TestLearned masks texts with names that other values have.
func TestLearned(t *testing.T) {
	k := testKey(t)
	l := k.Learn(Limits{})
	l.Value(Users, `CONTOSO\bob.smith`)
	l.Value(Users, "al") // too short for any text
	l.Value(Users, "SYSTEM")
	l.Value(Hosts, "DESKTOP-7Q")
	l.Value(Hosts, "10.1.2.3")
	l.Value(Commands, `"C:\a b\x.exe" --token abc`)
	l.Value(Commands, `"C:\a b\x.exe" --token abc --more`)
	l.Value(Text, `D:\Users\Zoë\y`)
	l.File("Desk.etl")
	m, lost := l.Mask()
	if lost {
		t.Error("names were forgotten")
	}
	tests := []struct{ text, want string }{
		{"hello Bob.Smith!", "hello <user bob.smith>!"},
		{"bob.smithson", "bob.smithson"},
		{"abob.smith", "abob.smith"},
		{"x_bob.smith_y", "x_<user bob.smith>_y"},
		{"al and SYSTEM", "al and SYSTEM"},
		{"desktop-7q$ in contoso", "<host desktop-7q>$ in <host contoso>"},
		{"DESKTOP-7Q.contoso.com", "<host desktop-7q>.<host contoso>.com"},
		{"ZOË was here", "<user zoë> was here"},
		{`ran "C:\a b\x.exe" --token abc.`, `ran <command "C:\a b\x.exe" --token abc>.`},
		{`ran "C:\a b\x.exe" --token abc --more`, `ran <command "C:\a b\x.exe" --token abc --more>`},
		{`ran "C:\a b\x.exe" --token ab`, `ran "C:\a b\x.exe" --token ab`},
		{"read DESK.ETL", "read <file desk.etl>"},
	}
	for _, test := range tests {
		if got, want := m.Text(test.text), pseudonyms(k, test.want); got != want {
			t.Errorf("%q gives %q, want %q", test.text, got, want)
		}
	}
}

// TestLimits learns more names than fit, in different orders: what is kept does not depend on the order.
func TestLimits(t *testing.T) {
	k := testKey(t)
	names := strings.Fields("anna berta carla dora emma frida gerda helga irma jutta karla luise marta nora olga")
	text := strings.Join(names, " ")
	var masked []string
	for _, step := range []int{1, 2, 4, 7} {
		l := k.Learn(Limits{Names: 3})
		for i := range names {
			l.Value(Users, names[i*step%len(names)])
		}
		m, lost := l.Mask()
		if !lost {
			t.Error("no name was forgotten")
		}
		masked = append(masked, m.Text(text))
	}
	for _, other := range masked[1:] {
		if other != masked[0] {
			t.Errorf("another order gives %q, want %q", other, masked[0])
		}
	}
	if got := strings.Count(masked[0], "user-"); got != 3 {
		t.Errorf("%d names were replaced, want 3: %s", got, masked[0])
	}
}

// TestKeys checks that pseudonyms depend on the key, and that short keys are refused.
func TestKeys(t *testing.T) {
	k := testKey(t)
	other, err := NewKey([]byte("another secret of the tests"))
	if err != nil {
		t.Fatal(err)
	}
	if k.pseudonym(user, "bob") == other.pseudonym(user, "bob") || k.Fingerprint() == other.Fingerprint() {
		t.Error("two keys make the same pseudonyms")
	}
	if k.pseudonym(user, "bob") == k.pseudonym(host, "bob") {
		t.Error("a user and a host have the same pseudonym")
	}
	if _, err := NewKey([]byte("short")); !errors.Is(err, ErrKey) {
		t.Errorf("a short key: %v", err)
	}
	if (*Key)(nil).TraceName("x") != "x" || k.TraceName("x") == "x" {
		t.Error("names of traces")
	}
}

// FuzzText masks any text: known names must be gone, and nothing may fail.
func FuzzText(f *testing.F) {
	f.Add(`C:\Users\bob\x "a":"b" S-1-5-21-1-2-3 10.1.2.3 a@b.c \\h\s http://u@h/`)
	f.Add("User: bob\nname=\"UserName\">bob<")
	k, err := NewKey([]byte("a secret of the tests"))
	if err != nil {
		f.Fatal(err)
	}
	l := k.Learn(Limits{})
	l.Value(Users, "bob")
	m, _ := l.Mask()
	f.Fuzz(func(t *testing.T, text string) {
		for of := Text; of <= Secrets; of++ {
			m.Append(nil, of, text)
			k.Learn(Limits{}).Value(of, text)
		}
		if got := m.Text(text + " bob"); strings.HasSuffix(got, " bob") {
			t.Errorf("%q gives %q", text, got)
		}
	})
}

// TestClassOfName checks which fields have names of users, hosts and command lines, by names that
// manifests give them.
func TestClassOfName(t *testing.T) {
	for class, names := range map[Class]string{
		Users: "User UserName user_id UserIdentity UserAccount Account AccountName Login LoginName Logon LogonName SamAccountName SamName UPN UserPrincipalName Principal PrincipalName Owner OwnerName Author Operator " +
			"Requester RequesterName Requestor CallerName MemberName FullName DisplayUserName ConnectedUser RunAs RunAsUser ServiceAccount TargetUser SubjectUser ClientUser ImpersonatedUser EmailAddress Email Mailbox SmtpAddress " +
			"TargetUserName SubjectAccountName MyUserAccount OldUserPrincipalName ALoginName ALogonName AUserIdentity HomeEmailAddress",
		Hosts: "Computer ComputerName Machine MachineName Host HostName Server ServerName Workstation WorkstationName Client ClientName ClientMachine RemoteHost RemoteMachine RemoteServer Remote_Computer LocalHost LocalMachine FQDN DnsName DnsHostName QueryName " +
			"Domain DomainName NetbiosName NodeName TargetServer TargetHost TargetMachine DestinationHost DestinationHostname SourceHost DCName DcDnsName ProxyServer ProxyHost UserDomain TargetDomain SubjectDomain Realm ForestName PeerName TargetServerName " +
			"MyComputerName AMachineName AHostName AServerName AWorkstationName TargetDomainName AFQDN ANetbiosName AQueryName",
		Commands:  "CommandLine CmdLine Command CommandLineText ScriptBlockText HostApplication CommandInvocation ProcessCommandLine Arguments Parameters CommandLineArguments NewCommandLine ACmdLine",
		Networks:  "SSID Ssid ProfileName profile_name NetworkName ConnectedSSID",
		Addresses: "MacAddress BSSID mac_addr PeerMacAddress",
		Secrets:   "Password pwd UserPassword PassPhrase KeyMaterial",
		Versions:  "Version FileVersion",
		Text:      "ProcessID ClassId AccessId AppDomainName AppDomainFriendlyName ProcessName UserData HostCount Message",
	} {
		for _, name := range strings.Fields(names) {
			if got := ClassOfName(name); got != class {
				t.Errorf("%s has the class %d, want %d", name, got, class)
			}
		}
	}
}
