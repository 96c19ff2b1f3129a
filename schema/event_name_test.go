package schema

import "testing"

// TestDisplayName checks that an event has a name of words, or its id.
func TestDisplayName(t *testing.T) {
	named := func(source Source, name string) Schema {
		return Schema{Event: Event{Name: name}, Source: source, ID: 6003}
	}
	for _, c := range []struct {
		why, want string
		s         Schema
	}{
		{"a task and an opcode", "GC/Start", Schema{TaskName: "GC", OpcodeName: "Start", Opcode: 1}},
		{"the default opcode", "GC", Schema{TaskName: "GC", OpcodeName: "Info"}},
		{"an opcode of the provider", "Global", Schema{OpcodeName: "Global", Opcode: 11}},
		{"an opcode that many events have", "9", Schema{OpcodeName: "Start", Opcode: 1, ID: 9}},
		{"nothing", "7", Schema{ID: 7}},
		{"its own name", "Named", Schema{Event: Event{Name: "Named"}, TaskName: "GC"}},
		{"no task", "Open(async)", Schema{TaskName: "None", OpcodeName: "Open(async)", Opcode: 10, ID: 9}},
		{"no task, in small letters", "9", Schema{TaskName: "none", OpcodeName: "Info", ID: 9}},
		{"a task that is a number", "Disconnect", Schema{TaskName: "task_0", OpcodeName: "Disconnect", Opcode: 13, ID: 9}},
		{"numbers", "9", Schema{TaskName: "task_0", OpcodeName: "opcode_64", Opcode: 64, ID: 9}},
		{"a sentence as opcode", "4104", Schema{TaskName: "Starting Command", OpcodeName: "On create calls", Opcode: 15, ID: 4104}},
		{"a sentence as task, with an opcode of the provider", "RecvReq", Schema{TaskName: "HTTP Request Trace Task", OpcodeName: "RecvReq", Opcode: 11, ID: 1}},
		{"a sentence as task", "5", Schema{TaskName: "Creation of a new driver host process.", OpcodeName: "Start", Opcode: 1, ID: 5}},
		{"two words", "Garbage Collection/Start", Schema{TaskName: "Garbage Collection", OpcodeName: "Start", Opcode: 1}},
		{"the end of a sentence", "10", Schema{TaskName: "TCPIP", OpcodeName: "Data sent.", Opcode: 10, ID: 10}},
		{"the end of a word", "InjectDllTask/Stop", Schema{TaskName: "InjectDllTask.", OpcodeName: "Stop", Opcode: 2, ID: 10}},
		{"a question", "10", Schema{TaskName: "What?", ID: 10}},
		{"a symbol that is a number", "6003", named(FromEventSource, "Event6003")},
		{"a symbol with another number", "Event6", named(FromEventSource, "Event6")},
		{"a symbol of the id", "6003", named(FromManifest, "Message_6003")},
		{"a symbol that ends with a digit", "Sample2", named(FromManifest, "Sample2")},
		{"a symbol that is a sentence", "6003", named(FromManifest, "The service has started")},
		{"what a program logs is its own business", "The service has started", named(FromTraceLogging, "The service has started")},
		{"a message", "a file.c:17", named(FromTMF, "a file.c:17")},
	} {
		if got := c.s.DisplayName(); got != c.want {
			t.Errorf("%s: %q, want %q", c.why, got, c.want)
		}
	}
}
