package schema

import "strings"

// DisplayName returns the name of an event: "Task/Opcode", only the task if the opcode is the
// default one, only the opcode if it is the provider's own and the task has no name, or the id.
// The id is the name where the description has nothing better: no text at all, a sentence, or a
// name that a tool made of the number; see [IsNameText].
func (s *Schema) DisplayName() string {
	if s.Name != "" && s.namesItself() {
		return s.Name
	}
	return s.NameOf(IsNameText)
}

// namesItself reports whether the event's name is the one in the event, in a class or with a
// message, as programs use it: it is taken as it is.
func (s *Schema) namesItself() bool {
	return s.Classic || s.Source == FromTraceLogging || s.Source == FromTMF || s.Source == FromKernel
}

// NameOf is [Schema.DisplayName] for an event of a provider, where isName decides which texts can
// be part of a name.
func (s *Schema) NameOf(isName func(text string) bool) string {
	id := itoa(int(s.ID))
	if s.Name != "" {
		if hasFewWords(s.Name) && !s.isMadeUp(s.Name, "event", int(s.ID)) {
			return s.Name
		}
		return id
	}
	task, opcode := strings.TrimRight(s.TaskName, "."), strings.TrimRight(s.OpcodeName, ".")
	if s.Opcode == 0 || s.isMadeUp(opcode, "opcode", int(s.Opcode)) {
		opcode = ""
	}
	if strings.EqualFold(task, "None") || s.isMadeUp(task, "task", int(s.Task)) {
		task = ""
	}
	switch {
	case opcode != "" && !isName(s.OpcodeName): // what distinguishes the event has no name
		return id
	case task != "" && !isName(s.TaskName):
		task = ""
	}
	switch {
	case task != "" && opcode != "":
		return task + "/" + opcode
	case task != "":
		return task
	case opcode != "" && OpcodeName(s.Opcode) == "": // else it says no more than Start or Stop
		return opcode
	}
	return id
}

// isMadeUp reports whether a tool made a name of a number because the description has none, such as
// Event6003, task_0 or Message_69.
func (s *Schema) isMadeUp(name, kind string, number int) bool {
	stem := strings.TrimRight(name, "0123456789")
	digits := name[len(stem):]
	if digits == "" {
		return false
	}
	stem = strings.ToLower(stem)
	switch {
	case stem == kind+"_": // with a number that need not be the event's: no program writes this
		return kind != "event" || digits == itoa(number)
	case digits != itoa(number) && digits != itoa(int(s.ID)):
		return false
	}
	switch strings.TrimSuffix(stem, "_") {
	case "event", "task", "opcode", "message":
		return true
	}
	return false
}

// maxNameWords is the largest number of words that a name has; a longer text is a sentence.
const maxNameWords = 2

// IsNameText reports whether the text of a task, opcode or event can be part of a name: it has at
// most two words, and no punctuation of sentences. Windows has sentences for many, such as "To be
// used when an exception is raised".
func IsNameText(text string) bool {
	text = strings.TrimSpace(text)
	return hasFewWords(text) && !strings.ContainsAny(text, ",;!?\"%") &&
		!(strings.HasSuffix(text, ".") && strings.ContainsAny(text, " \t"))
}

func hasFewWords(text string) bool { return len(strings.Fields(text)) <= maxNameWords }
