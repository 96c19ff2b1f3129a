// Package views has the SQL views over the tables of a dataset: each folder is a question, and what answers it.
// docs/dev/adding.md says what a folder consists of.
package views

import "embed"

// Folders has the files of which views are made: view.sql, macro.sql of a view with parameters, or view.toml with sources, and view.md.
//
//go:embed */view.sql */macro.sql */view.md */*.toml
var Folders embed.FS
