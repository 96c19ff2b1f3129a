// Package logs turns rows of events into records of logs: lines of text for people, log records of
// OpenTelemetry (OTLP), and documents of the Elastic Common Schema (ECS).
//
// A record is made of the columns that all events have, the message of the event, and its decoded
// fields: of the column fields, whose form [rows.FieldsForm] fits the record, or of the columns of an
// event's own table.
package logs
