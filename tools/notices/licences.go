package main

import (
	"fmt"
	"slices"
	"strings"
)

// compatible are the licences that a program under Apache-2.0 may link, with words that
// no other licence has. BSD-3-Clause includes all terms of BSD-2-Clause, so it comes
// first.
var compatible = []struct{ name, words string }{
	{"Apache-2.0", "Apache License, Version 2.0"},
	{"Apache-2.0", "Apache License Version 2.0"},
	{"CC0-1.0", "CC0 1.0 Universal"},
	{"ISC", "Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee"},
	{"MIT", "Permission is hereby granted, free of charge, to any person obtaining a copy of this software"},
	{"BSD-3-Clause", "used to endorse or promote products derived from"}, // "may", or "may not be" in some variants
	{"BSD-2-Clause", "Redistribution and use in source and binary forms, with or without modification, are permitted"},
}

// incompatible are words of licences that require more than notices.
var incompatible = []string{
	"GNU General Public License", "GNU Lesser General Public License", "GNU Affero General Public License", "GNU Library General Public License",
	"Mozilla Public License", "Eclipse Public License", "Common Development and Distribution License",
	"Server Side Public License", "Business Source License", "Commons Clause", "PolyForm",
}

// judge finds the licences of the module. It returns an error if no licence is known, or
// one is incompatible with Apache-2.0.
func (m *module) judge() error {
	known := make(map[string]bool)
	for _, f := range m.files {
		found, err := licencesIn(f.text)
		if err != nil {
			return fmt.Errorf("%s %s: %s: %w", m.path, m.version, f.name, err)
		}
		for _, name := range found {
			known[name] = true
		}
		if len(found) == 0 && !strings.Contains(strings.ToUpper(f.name), "NOTICE") && !strings.Contains(strings.ToUpper(f.name), "PATENTS") {
			return fmt.Errorf("%s %s: %s: an unknown licence: read it, and add it to tools/notices if it is compatible with Apache-2.0", m.path, m.version, f.name)
		}
	}
	if len(known) == 0 {
		return fmt.Errorf("%s %s: no licence", m.path, m.version)
	}
	for name := range known {
		m.licences = append(m.licences, name)
	}
	slices.Sort(m.licences)
	return nil
}

// licencesIn returns the licences in a text, which may be several.
func licencesIn(text string) ([]string, error) {
	words := strings.Join(strings.Fields(text), " ")
	for _, name := range incompatible {
		if strings.Contains(strings.ToLower(words), strings.ToLower(name)) {
			return nil, fmt.Errorf("%s is not compatible with Apache-2.0", name)
		}
	}
	var found []string
	for _, l := range compatible {
		if !strings.Contains(words, l.words) || slices.Contains(found, l.name) {
			continue
		}
		if l.name == "BSD-2-Clause" && slices.Contains(found, "BSD-3-Clause") {
			continue
		}
		found = append(found, l.name)
	}
	return found, nil
}
