// Notices writes THIRD_PARTY_NOTICES: the licences of all modules that the program links
// on any system, as their terms require. It runs in the root of the repository; with
// -check it only reports whether the file is up to date.
//
//	go run ./tools/notices [-check] SYSTEM/ARCHITECTURE...
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
)

const (
	program     = "./cmd/etl2parquet"
	noticesFile = "THIRD_PARTY_NOTICES"
)

func main() {
	check := flag.Bool("check", false, "write nothing, and fail if the file is not up to date")
	flag.Parse()
	if err := run(*check, flag.Args()); err != nil {
		fmt.Fprintf(os.Stderr, "notices: %v\n", err)
		os.Exit(1)
	}
}

func run(check bool, systems []string) error {
	if len(systems) == 0 {
		return errors.New("no system: name those that the program is built for, such as linux/amd64")
	}
	modules, err := linked(systems)
	if err != nil {
		return err
	}
	for _, m := range modules {
		if err := m.read(); err != nil {
			return err
		}
	}
	text := notices(modules)
	if !check {
		return os.WriteFile(noticesFile, text, 0o666)
	}
	old, err := os.ReadFile(noticesFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if !bytes.Equal(old, text) {
		return fmt.Errorf("%s is not up to date: run \"make notices\"", noticesFile)
	}
	return nil
}
