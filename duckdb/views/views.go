// Package views writes the statements that make the views of the database etl.
package views

func SQL() string { return "ATTACH ':memory:' AS etl;" }
