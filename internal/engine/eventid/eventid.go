// Package eventid spells the number that identifies an event among those of its provider.
package eventid

import "fmt"

// Text returns the number of an event in the terms of its header, whose table is given: "id 4104" of
// a provider's event, "hook 0x0524" of a kernel event, "type 36" of a classic one.
func Text(headerTable string, id uint32) string {
	switch headerTable {
	case "system_trace_header", "perfinfo_trace_header":
		return fmt.Sprintf("hook 0x%04X", id)
	case "event_header":
		return fmt.Sprintf("id %d", id)
	case "message_trace_header":
		return fmt.Sprintf("message %d", id)
	case "other_header":
		return fmt.Sprintf("header 0x%02X", id)
	}
	return fmt.Sprintf("type %d", id)
}
