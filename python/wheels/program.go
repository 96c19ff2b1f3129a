package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// system is a system that a wheel is for.
type system struct {
	name string // Go's name of it
	tags []string
}

// systems lists all systems. The program is static, so that one file serves every Linux, with glibc
// or musl; the tags name the oldest versions that pip knows. Go 1.26 needs macOS 12.
var systems = []system{
	{"linux/amd64", []string{"manylinux_2_17_x86_64", "manylinux2014_x86_64", "musllinux_1_1_x86_64"}},
	{"linux/arm64", []string{"manylinux_2_17_aarch64", "manylinux2014_aarch64", "musllinux_1_1_aarch64"}},
	{"darwin/amd64", []string{"macosx_12_0_x86_64"}},
	{"darwin/arm64", []string{"macosx_12_0_arm64"}},
	{"windows/amd64", []string{"win_amd64"}},
	{"windows/arm64", []string{"win_arm64"}},
}

// selectSystems returns the systems with the names in a list, or all systems for "".
func selectSystems(names string) ([]system, error) {
	if names == "" {
		return systems, nil
	}
	var list []system
	for name := range strings.SplitSeq(names, ",") {
		if name == "host" {
			name = runtime.GOOS + "/" + runtime.GOARCH
		}
		i := slices.IndexFunc(systems, func(s system) bool { return s.name == name })
		if i < 0 {
			return nil, fmt.Errorf("no wheels are built for the system %q", name)
		}
		list = append(list, systems[i])
	}
	return list, nil
}

// programFile returns the name of the program.
func (s *system) programFile() string {
	if strings.HasPrefix(s.name, "windows/") {
		return "etl2parquet.exe"
	}
	return "etl2parquet"
}

// origin is the commit that a program is built from, which its version names. Both may be empty.
type origin struct{ commit, date string }

// versionPackage has the variables of the program with its version and origin.
const versionPackage = "github.com/etl2parquet/etl2parquet/internal/base/version"

// linkerFlags returns what releases are linked with, in the words of .goreleaser.yaml.
func linkerFlags(version string, from origin) string {
	flags := "-s -w -buildid="
	for _, v := range [][2]string{{"release", "v" + version}, {"commit", from.commit}, {"date", from.date}} {
		if v[1] != "" {
			flags += " -X " + versionPackage + "." + v[0] + "=" + v[1]
		}
	}
	return flags
}

// buildProgram builds the program for a system and returns its bytes. They depend only on the
// sources, the origin and Go, not on the folder, git or the user's settings.
func buildProgram(root, version string, s system, from origin) ([]byte, error) {
	folder, err := os.MkdirTemp("", "wheels-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, s.programFile())
	goos, goarch, _ := strings.Cut(s.name, "/")
	// Without GOENV=off, settings of go env -w would replace the settings that are empty here.
	modules, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags", linkerFlags(version, from), "-o", path, "./cmd/etl2parquet")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos, "GOARCH="+goarch, "GOAMD64=v1", "GOARM64=v8.0",
		"GOFLAGS=", "GOEXPERIMENT=", "GOFIPS140=off", "GOPROXY=off", "GOTOOLCHAIN=local", "GOWORK=off",
		"GOENV=off", "GOMODCACHE="+string(bytes.TrimSpace(modules)))
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w: %s", err, bytes.TrimSpace(out))
	}
	return os.ReadFile(path)
}
