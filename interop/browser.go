package interop

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

//go:embed page/package.json page/package-lock.json page/check.mjs
var pageFiles embed.FS

// PageCheck is what Chromium found on a page of report.
type PageCheck struct {
	Errors, Requests, Axe, Wide []string
	Act                         struct {
		Markup                     int
		Range, Zoomed, Frame, Hits string
		Follows, Back, Keys, Out   bool
		Searching, SQL             bool
	}
}

// browserScript installs the packages of the script that opens pages, once per process.
var browserScript = sync.OnceValues(func() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	names := []string{"package.json", "package-lock.json", "check.mjs"}
	texts := make([][]byte, len(names))
	for i, name := range names {
		if texts[i], err = pageFiles.ReadFile("page/" + name); err != nil {
			return "", err
		}
		hash.Write(texts[i])
	}
	root := filepath.Join(cache, "etl2parquet", "page-"+hex.EncodeToString(hash.Sum(nil)[:6]))
	script, whole := filepath.Join(root, "check.mjs"), filepath.Join(root, "installed.txt")
	if _, err := os.Stat(whole); err == nil {
		return script, nil
	}
	if err := os.MkdirAll(root, 0o777); err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.Background(), installTimeout)
	defer cancel()
	unlock, err := lock(ctx, root+".lock")
	if err != nil {
		return "", err
	}
	defer unlock()
	for i, name := range names {
		if err := os.WriteFile(filepath.Join(root, name), texts[i], 0o666); err != nil {
			return "", err
		}
	}
	if err := command(ctx, "npm", "ci", "--prefix", root, "--ignore-scripts", "--no-audit", "--no-fund"); err != nil {
		return "", err
	}
	return script, os.WriteFile(whole, nil, 0o666)
})

// CheckPages opens pages in Chromium, in light and dark, on a desktop and on a phone. Without Chromium, Node
// or a network it skips the test, or fails it in CI.
func CheckPages(t *testing.T, pages ...string) (found []PageCheck) {
	t.Helper()
	testenv.Slow(t, "Chromium with pages of report")
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		testenv.Missing(t, "the program chromium", "run .ci/tools", err)
	}
	script, err := browserScript()
	if err != nil {
		testenv.Missing(t, "the packages of interop/page", "run .ci/tools, and let npm download", err)
	}
	out, err := exec.Command("node", append([]string{script, chromium}, pages...)...).Output()
	if err != nil {
		said := ""
		if exit, ok := err.(*exec.ExitError); ok {
			said = string(exit.Stderr)
		}
		t.Fatalf("%s: %v\n%s", script, err, said)
	}
	if err := json.Unmarshal(out, &found); err != nil || len(found) != len(pages) {
		t.Fatal(fmt.Errorf("%d answers for %d pages: %w", len(found), len(pages), err))
	}
	return found
}
