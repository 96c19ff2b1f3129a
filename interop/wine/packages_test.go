package wine

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// packages lists the packages that use the file system.
var packages = []string{"./internal/lake/store", "./internal/base/temporary", "./internal/inputs/archive"}

// TestPackages runs the tests of packages under Wine. It unsets CI, so that tests that
// need other programs are skipped, because Wine has none.
func TestPackages(t *testing.T) {
	e := newEnvironment(t)
	cmd := exec.Command("go", append([]string{"test", "-short", "-overlay", overlay(t), "-exec", e.wine}, packages...)...)
	cmd.Dir = "../.."
	cmd.Env = append(e.env, "GOOS=windows", "CGO_ENABLED=0", "CI=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v:\n%s", err, out)
	}
}

// overlay makes os.RemoveAll, and with it testing.T.TempDir, work under Wine 8. Go deletes
// with FileDispositionInformationEx, and falls back to another way if the answer is
// STATUS_INVALID_INFO_CLASS, which Windows gives for unknown classes. Wine 8 answers
// STATUS_NOT_IMPLEMENTED. The product does not use os.RemoveAll and is built without the
// overlay.
func overlay(t *testing.T) string {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	original := filepath.Join(strings.TrimSpace(string(root)), "src/internal/syscall/windows/at_windows.go")
	const known, notImplemented = "case STATUS_INVALID_INFO_CLASS,", "case NTStatus(0xC0000002), STATUS_INVALID_INFO_CLASS,"
	text := read(t, original)
	if strings.Count(text, known) != 1 {
		t.Fatalf("%s has no %q to change", original, known)
	}
	dir := t.TempDir()
	changed := filepath.Join(dir, "at_windows.go")
	write(t, dir, map[string]string{"at_windows.go": strings.Replace(text, known, notImplemented, 1)})
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {original: changed}})
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(dir, "overlay.json")
	testenv.WriteFile(t, list, replace)
	return list
}
