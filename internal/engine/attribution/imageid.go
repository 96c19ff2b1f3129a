package attribution

import (
	"strings"

	"github.com/etl2parquet/etl2parquet/schema"
)

// imageIDKinds maps the type of an ImageID event to its kind of record. The merge tools write these
// events about images.
var imageIDKinds = [256]kind{0: imageInfoRecord, 36: debugRecord, 64: versionRecord}

func (r *Records) imageInfo(p *payload) {
	base, ok := p.number(fieldImageBase)
	if !ok {
		return
	}
	v := imageInfo{base: base}
	v.process, _ = p.number32(fieldProcessID)
	v.size, _ = p.number(fieldImageSize)
	v.timeStamp, _ = p.number32(fieldTimeDateStamp)
	r.infos.push(v)
}

// debugFact is a record of debug information.
type debugFact struct {
	process, age uint32
	base         uint64
	guid         schema.GUID
	pdb          workerText
	index        uint32 // in Tables.Debug plus 1; 0 if no image has it
}

func (d *debugFact) id() id { return id{process: d.process, number: d.base} }

// debugInfo returns the number of the debug information in a payload plus 1, or 0.
func (r *Records) debugInfo(p *payload) workerFact {
	base, ok := p.number(fieldImageBase)
	_, guid := p.field(fieldGUIDSig)
	if !ok || len(guid) != 16 {
		return 0
	}
	v := debugFact{base: base, guid: schema.GUID(guid)}
	v.process, _ = p.number32(fieldProcessID)
	v.age, _ = p.number32(fieldAge)
	r.debug.by = r.known.debugInfos()
	if f, pdb := p.field(fieldPDBFileName); f != nil {
		v.pdb = r.debug.by.texts.number(f.Kind, pdb)
	}
	r.debug.use(v.pdb)
	return r.debug.push(v) + 1
}

// debugInfos returns the gatherer of debug information.
func (k *Known) debugInfos() *gatherer {
	if k.debug == nil {
		k.debug = new(newGatherer())
	}
	return k.debug
}

// addDebug adds the debug information of images.
func (b *Builder) addDebug(g *gathered[debugFact]) {
	if g.by == nil {
		return
	}
	b.texts.prefetch(&g.decoded, g.texts)
	b.debug.addGathered(b, g, func(d *debugFact) []workerText { return []workerText{d.pdb} }, b.texts.number)
	if n := g.by.numbers; n.noRoom {
		for _, block := range g.blocks {
			for i := range block {
				b.texts.dropped += n.dropped(block[i].pdb)
			}
		}
	}
}

func (r *Records) fileVersion(p *payload) {
	size, ok := p.number32(fieldImageSize)
	if !ok {
		return
	}
	v := FileVersion{Version: strings.TrimSpace(p.text(fieldFileVersion)), Product: p.from.product.of(p, fieldProductName), Company: p.from.company.of(p, fieldCompanyName)}
	v.File.Size = size
	v.File.TimeStamp, _ = p.number32(fieldTimeDateStamp)
	r.versions = append(r.versions, v)
}
