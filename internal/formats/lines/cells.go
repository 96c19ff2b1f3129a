package lines

import "bytes"

// appendCell writes a text as a value of CSV, by RFC 4180: as it is, in quotes if a reader needs
// them, with quotes in it doubled. An empty text has quotes, which tell it from NULL.
func appendCell(dst, text []byte) []byte {
	n := len(text)
	if n > 0 && text[0] > ' ' && text[n-1] > ' ' && !bytes.ContainsAny(text, "\",\r\n") {
		return append(dst, text...)
	}
	return appendQuoted(dst, text)
}

// appendQuoted writes a value of CSV in quotes.
func appendQuoted(dst, cell []byte) []byte {
	dst = append(dst, '"')
	for {
		at := bytes.IndexByte(cell, '"')
		if at < 0 {
			return append(append(dst, cell...), '"')
		}
		dst = append(append(dst, cell[:at+1]...), '"')
		cell = cell[at+1:]
	}
}
