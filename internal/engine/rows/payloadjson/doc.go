// Package payloadjson writes payloads as JSON, for the column fields of the tables
// of events: an object of the fields by name, with the names of numbers beside them.
package payloadjson
