package attribution

import (
	"strings"

	"github.com/etl2parquet/etl2parquet/decode"
)

// Volume is a device and the drive letter or folder that stands for it.
type Volume struct{ Device, DOS string }

// maxVolumes bounds the volumes: each path is compared with them.
const maxVolumes = 256

// Folders of the kernel's names.
const (
	driveFolder  = `\??\`         // has the drive letters
	shareFolder  = `UNC\`         // in driveFolder: has the servers
	systemRoot   = `\SystemRoot\` // is the folder of Windows
	deviceFolder = `\Device\`     // has the volumes
)

// DOSPath returns a path in the form that programs use, if the trace has the facts for it:
//
//	\??\C:\a                     C:\a              whatever the trace has
//	\Device\HarddiskVolume2\a    C:\a              SysConfig/VolumeMapping
//	\SystemRoot\a                C:\Windows\a      SysConfig/SystemPaths
//	\Windows\a                   C:\Windows\a      SysConfig/SystemPaths
//
// Windows 7 and 8 log images in the last form, from the root of a volume. Comparisons
// ignore case, and the result keeps the case of path. Without the facts, the path is
// returned unchanged.
func (t *Tables) DOSPath(path string) string {
	if rest, ok := cutFolder(path, driveFolder); ok {
		if hasDrive(rest) {
			return rest
		}
		if share, ok := cutFolder(rest, shareFolder); ok {
			return `\\` + share
		}
	}
	for i := range t.Volumes {
		v := &t.Volumes[i]
		if rest, ok := cutFolder(path, v.Device); ok && (rest == "" || rest[0] == '\\' || strings.HasSuffix(v.Device, `\`)) {
			return v.DOS + rest
		}
	}
	if t.Windows == "" {
		return path
	}
	if rest, ok := cutFolder(path, systemRoot); ok {
		return t.Windows + rest
	}
	if _, ok := cutFolder(path, t.Windows[driveLength:]); ok {
		return t.Windows[:driveLength] + path
	}
	return path
}

// cutFolder removes a folder from the start of a path, ignoring case.
func cutFolder(path, folder string) (rest string, ok bool) {
	if len(path) < len(folder) || !strings.EqualFold(path[:len(folder)], folder) {
		return path, false
	}
	return path[len(folder):], true
}

// driveLength is the length of a drive letter and its colon.
const driveLength = 2

// hasDrive reports whether a path begins with a drive letter.
func hasDrive(path string) bool {
	if len(path) < driveLength || path[1] != ':' {
		return false
	}
	letter := path[0] | 0x20
	return letter >= 'a' && letter <= 'z'
}

// isFromRoot reports whether a path begins at the root of a volume that it does not name.
func isFromRoot(path string) bool {
	for _, folder := range []string{driveFolder, systemRoot, deviceFolder, `\\`} {
		if _, ok := cutFolder(path, folder); ok {
			return false
		}
	}
	return strings.HasPrefix(path, `\`)
}

// SaysVolume reports whether a path contains its volume.
func SaysVolume(path string) bool { return path != "" && !isFromRoot(path) }

// tellsVolume reports whether path gives the volume of fromRoot, a path from the root of a volume:
// path ends in fromRoot.
func tellsVolume(path, fromRoot string) bool {
	at := len(path) - len(fromRoot)
	return at > 0 && isFromRoot(fromRoot) && SaysVolume(path) && strings.EqualFold(path[at:], fromRoot)
}

// ImagePath returns the path of the image at an address of a process at a time. path
// is the path in an event, or "". The result contains the volume if another event of
// the image does.
func (t *Tables) ImagePath(process uint32, base uint64, at decode.Ticks, path string) string {
	if SaysVolume(path) {
		return path
	}
	if i := t.Image(process, base, at); i >= 0 && (path == "" || tellsVolume(t.Images[i].Path, path)) {
		return t.Images[i].Path
	}
	return path
}

func (r *Records) volume(p *payload) {
	if v := (Volume{p.text(fieldNTPath), p.text(fieldDOSPath)}); v.Device != "" && v.DOS != "" {
		r.volumes = append(r.volumes, v)
	}
}

// systemPaths reads the folder of Windows. The first record wins.
func (r *Records) systemPaths(p *payload) {
	folder := strings.TrimRight(p.text(fieldSystemWindowsDirectory), `\`)
	if r.windows == "" && len(folder) > driveLength && hasDrive(folder) && folder[driveLength] == '\\' {
		r.windows = folder + `\`
	}
}

// computerName reads the name of the computer. The first record wins.
func (r *Records) computerName(p *payload) {
	if r.computer == "" {
		r.computer = p.text(fieldComputerName)
	}
}
