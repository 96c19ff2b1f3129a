package attribution_test

import (
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
)

// TestDOSPath checks paths as they are in events and in tables.
func TestDOSPath(t *testing.T) {
	volumes := []attribution.Volume{
		{Device: `\Device\HarddiskVolume2\`, DOS: `C:\`}, {Device: `\Device\HarddiskVolume1`, DOS: `D:`},
		{Device: `\Device\Mup\`, DOS: `\\`}, {Device: `\\`, DOS: `\\`},
	}
	const windows = `C:\Windows\`
	for _, test := range []struct {
		name    string
		path    string
		want    string
		unknown string // what a trace without the facts gives; "" means path
	}{
		{name: "volume", path: `\Device\HarddiskVolume2\a\b.txt`, want: `C:\a\b.txt`},
		{name: "volume in capitals", path: `\DEVICE\HARDDISKVOLUME2\A.TXT`, want: `C:\A.TXT`},
		{name: "volume without a backslash", path: `\Device\HarddiskVolume1\a`, want: `D:\a`},
		{name: "volume whose number begins like another's", path: `\Device\HarddiskVolume10\a`, want: `\Device\HarddiskVolume10\a`},
		{name: "volume itself", path: `\Device\HarddiskVolume1`, want: `D:`},
		{name: "server", path: `\Device\Mup\server\share\a`, want: `\\server\share\a`},
		{name: "drive folder", path: `\??\C:\Windows\a.exe`, want: `C:\Windows\a.exe`, unknown: `C:\Windows\a.exe`},
		{name: "drive folder and the first letter", path: `\??\a:\a`, want: `a:\a`, unknown: `a:\a`},
		{name: "drive folder and the last letter", path: `\??\Z:\a`, want: `Z:\a`, unknown: `Z:\a`},
		{name: "drive folder and what is before the letters", path: `\??\@:\a`, want: `\??\@:\a`},
		{name: "drive folder and what is behind the letters", path: `\??\{:\a`, want: `\??\{:\a`},
		{name: "drive folder and a server", path: `\??\UNC\server\share`, want: `\\server\share`, unknown: `\\server\share`},
		{name: "drive folder and no drive", path: `\??\Volume{1}\a`, want: `\??\Volume{1}\a`},
		{name: "drive folder alone", path: `\??\`, want: `\??\`},
		{name: "system root", path: `\SystemRoot\System32\ntdll.dll`, want: `C:\Windows\System32\ntdll.dll`},
		{name: "system root in capitals", path: `\SYSTEMROOT\a`, want: `C:\Windows\a`},
		{name: "image of Windows 8", path: `\Windows\System32\kernel32.dll`, want: `C:\Windows\System32\kernel32.dll`},
		{name: "image of Windows 8 in capitals", path: `\WINDOWS\system32\a.dll`, want: `C:\WINDOWS\system32\a.dll`},
		{name: "folder whose name begins like that of Windows", path: `\Windows.old\a.dll`, want: `\Windows.old\a.dll`},
		{name: "another folder", path: `\Program Files\a.dll`, want: `\Program Files\a.dll`},
		{name: "with a drive letter", path: `D:\a`, want: `D:\a`},
		{name: "no path", path: `ntdll.dll`, want: `ntdll.dll`},
		{name: "nothing"},
	} {
		t.Run(test.name, func(t *testing.T) {
			known := attribution.Tables{Volumes: volumes, Windows: windows}
			if got := known.DOSPath(test.path); got != test.want {
				t.Errorf("%s is %s, want %s", test.path, got, test.want)
			}
			want := test.unknown
			if want == "" {
				want = test.path
			}
			var unknown attribution.Tables
			if got := unknown.DOSPath(test.path); got != want {
				t.Errorf("where the trace does not say it, %s is %s, want %s", test.path, got, want)
			}
		})
	}
}
