package etl2parquet_test

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
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		match := regexp.MustCompile(line).FindSubmatch(text)
		if match == nil {
			t.Fatalf("%s: no version", path)
		}
		versions[string(match[1])] = append(versions[string(match[1])], path)
	}
	if len(versions) != 1 {
		t.Errorf("the versions differ: %v", versions)
	}
}
