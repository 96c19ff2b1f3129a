package policy

import (
	"os"
	"regexp"
	"testing"
)

// TestVersionsAgree checks that the version of the next release is the same in every file that names
// it: a release is made from them (docs/dev/releasing.md).
func TestVersionsAgree(t *testing.T) {
	versions := make(map[string][]string)
	for path, line := range map[string]string{
		"python/pyproject.toml":             `(?m)^version = "(.*)"$`,
		"duckdb/community/description.yml":  `(?m)^  version: (.*)$`,
		"CHANGELOG.md":                      `(?m)^## ([0-9]\S*)`, // the first is the newest
		"cmd/etl2parquet/testdata/releases": "",
	} {
		if line == "" {
			entries, err := os.ReadDir(path)
			if err != nil || len(entries) != 1 {
				t.Fatalf("%s: %v, %v: want the folder of one release", path, entries, err)
			}
			versions[entries[0].Name()] = append(versions[entries[0].Name()], path)
			continue
		}
		match := regexp.MustCompile(line).FindStringSubmatch(textOf(t, path))
		if match == nil {
			t.Fatalf("%s: no version", path)
		}
		versions[match[1]] = append(versions[match[1]], path)
	}
	if len(versions) != 1 {
		t.Errorf("the versions differ: %v", versions)
	}
}
