package schema

// fileFields has, for providers whose descriptions do not contain it, the field with the
// path of the file that an event is about, in the kernel's form. Sources: the manifest of
// Microsoft-Windows-Kernel-File (OTRF/OSSEM data dictionaries); seen: Create in a trace of
// Windows 8.
var fileFields = map[GUID]string{
	mustGUID("edd08927-9cc4-4e65-b970-c2560fb5c289"): FileNameColumn, // Microsoft-Windows-Kernel-File
}

// filesOf returns the fields that identify the file that an event of a provider is about;
// see [Event.Files].
func filesOf(e *Event) []string {
	name, ok := fileFields[e.GUID]
	if !ok {
		return nil
	}
	for i := range e.Fields {
		if f := &e.Fields[i]; f.Name == name && f.Kind == Text16 && !f.IsArray() {
			return []string{name}
		}
	}
	return nil
}
