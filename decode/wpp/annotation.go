package wpp

import "strings"

// annotationKey is the first text of an annotation that has a message. Others, such as
// TMC:, have the flags of a provider.
const annotationKey = "TMF:"

// AppendAnnotation appends the lines of a TMF file for the texts of an annotation, with
// which WPP describes a message in a program's debug symbols (PDB):
//
//	TMF:
//	<message GUID> <provider> // SRC=...
//	#typev <file_line> <number> "<text>" // LEVEL=...
//	{
//	<expression>, Item<type> -- 10
//	}
//
// function is the function that has the annotation. WPP does not know it, so tracepdb adds it. ok
// is false if the annotation has no message. (Format: the templates of WPP that Microsoft has
// published. Observed: tracepdb's files have FUNC, the templates do not. A line feed in a text
// becomes %n, which looks the same: a line cannot contain it.)
func AppendAnnotation(dst []byte, function string, texts []string) (lines []byte, ok bool) {
	if len(texts) == 0 || texts[0] != annotationKey {
		return dst, false
	}
	for _, line := range texts[1:] {
		dst = append(dst, lineFeeds.Replace(line)...)
		if p := (parser{line: line}); p.isType() && function != "" {
			dst = appendFunction(dst, line, function)
		}
		dst = append(dst, '\n')
	}
	return dst, true
}

// lineFeeds replaces the characters that would end a line.
var lineFeeds = strings.NewReplacer("\r\n", "%n", "\n", "%n", "\r", "%n")

// appendFunction appends the function to the comment of a message, if it has none.
func appendFunction(dst []byte, line, function string) []byte {
	const begins = `" //`
	at := strings.LastIndex(line, begins)
	if at < 0 {
		dst, at = append(dst, " //"...), len(line)-len(begins)
	}
	for _, p := range pairs(line[at+len(begins):]) {
		if p.key == "FUNC" {
			return dst
		}
	}
	return append(append(dst, " FUNC="...), lineFeeds.Replace(function)...)
}
