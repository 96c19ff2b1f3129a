package schema

import "slices"

// fileFields has, for providers whose descriptions do not contain it, the field with the
// path of the file that an event is about, in the kernel's form. Sources: the manifest of
// Microsoft-Windows-Kernel-File (OTRF/OSSEM data dictionaries); seen: Create in a trace of
// Windows 8.
var fileFields = map[GUID]string{
	MustGUID("edd08927-9cc4-4e65-b970-c2560fb5c289"): FileNameColumn, // Microsoft-Windows-Kernel-File
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

// FileField is a field that may identify the file of an event.
type FileField struct {
	Index  int  // in Event.Fields
	IsPath bool // it is the path, not an object or key
	Base   int  // for a path: the field with the address of the image that has the path; -1 if none
}

// FileFields returns the fields that may identify the file, the most precise first.
func (e *Event) FileFields() []FileField {
	base := slices.IndexFunc(e.Fields, func(f Field) bool { return f.Name == "image_base" })
	var fields []FileField
	for _, name := range e.Files {
		for i := range e.Fields {
			if f := &e.Fields[i]; f.Name == name {
				fields = append(fields, FileField{i, f.Kind == Text16, base})
			}
		}
	}
	return fields
}
