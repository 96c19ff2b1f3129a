package rows

import (
	"bytes"
	"strings"

	"github.com/etl2parquet/etl2parquet/schema"
)

// containerText returns the id of a container. Documentation has it as a GUID,
// TraceEvent reads the text of one; so 16 bytes are taken for the former.
func containerText(data []byte) string {
	if len(data) == 16 {
		return schema.GUID(data).String()
	}
	if end := bytes.IndexByte(data, 0); end >= 0 {
		data = data[:end]
	}
	return strings.ToValidUTF8(string(data), "\uFFFD")
}
