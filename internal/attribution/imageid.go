package attribution

import (
	"strings"

	"github.com/etl2parquet/etl2parquet/schema"
)

// imageIDKinds are the kinds of record that the merge tools write about images, by
// the type of the ImageID event.
var imageIDKinds = [256]kind{0: imageInfoRecord, 36: debugRecord, 64: versionRecord}

func (r *Records) imageInfo(p *payload) {
	base, ok := p.number("image_base")
	if !ok {
		return
	}
	v := imageInfo{base: base}
	v.process, _ = p.number32("process_id")
	v.size, _ = p.number("image_size")
	v.timeStamp, _ = p.number32("time_date_stamp")
	r.infos.push(v)
}

func (p *payload) debugInfo() *fact[DebugInfo] {
	base, ok := p.number("image_base")
	_, guid := p.field("guid_sig")
	if !ok || len(guid) != 16 {
		return nil
	}
	v := DebugInfo{Base: base, GUID: schema.GUID(guid), PDB: p.text("pdb_file_name")}
	v.Process, _ = p.number32("process_id")
	v.Age, _ = p.number32("age")
	return &fact[DebugInfo]{value: v}
}

func (r *Records) fileVersion(p *payload) {
	size, ok := p.number32("image_size")
	if !ok {
		return
	}
	v := FileVersion{Version: strings.TrimSpace(p.text("file_version")), Product: p.text("product_name"), Company: p.text("company_name")}
	v.File.Size = size
	v.File.TimeStamp, _ = p.number32("time_date_stamp")
	r.versions = append(r.versions, v)
}
