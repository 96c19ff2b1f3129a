package packed

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"

	"github.com/klauspost/compress/zstd"
)

// Pack returns a file with these providers, which it sorts. The bytes do not depend on the order of
// the providers. builds are the builds of Windows that forms may name.
func Pack(providers []Provider, builds []int) ([]byte, error) {
	if len(builds) > maxBuilds {
		return nil, fmt.Errorf("%d builds of Windows, at most %d can be packed", len(builds), maxBuilds)
	}
	slices.SortFunc(providers, func(a, b Provider) int { return a.GUID.Compare(b.GUID) })
	for i := range providers[1:] {
		if providers[i].GUID == providers[i+1].GUID {
			return nil, fmt.Errorf("the provider %s is there twice", providers[i].GUID)
		}
	}
	blocks, texts := make([][]byte, len(providers)), make([][]string, len(providers))
	for i := range providers {
		p := &providers[i]
		sortEvents(p.Events)
		b := block{builds: builds}
		for j := range p.Events {
			if err := b.add(&p.Events[j], p.Name); err != nil {
				return nil, err
			}
		}
		if texts[i] = b.texts.list; len(p.Events) > 0 {
			blocks[i] = b.bytes()
		}
		if len(blocks[i]) > maxBlock {
			return nil, fmt.Errorf("the events of %s take %d bytes, at most %d can be packed", p.GUID, len(blocks[i]), maxBlock)
		}
	}
	return pack(providers, builds, blocks, commonTexts(texts))
}

func pack(providers []Provider, builds []int, blocks [][]byte, dictionary []byte) ([]byte, error) {
	compress, err := newEncoder(dictionary)
	if err != nil {
		return nil, err
	}
	index := appendNumbers(nil, uint64(len(builds)))
	for _, build := range builds {
		index = appendNumbers(index, uint64(build))
	}
	index = appendNumbers(index, uint64(len(providers)))
	var packed []byte
	for i := range providers {
		p := &providers[i]
		index = appendText(append(index, p.GUID[:]...), p.Name)
		index = appendNumbers(index, uint64(len(p.OtherNames)))
		for _, name := range p.OtherNames {
			index = appendText(index, name)
		}
		index = appendNumbers(index, flag(p.IsComponent, 1), uint64(len(p.Events)))
		if len(p.Events) > 0 {
			start := len(packed)
			packed = compress.EncodeAll(blocks[i], packed)
			index = appendNumbers(index, uint64(start), uint64(len(packed)-start), uint64(len(blocks[i])), uint64(crc32.Checksum(packed[start:], castagnoli)))
		}
	}
	plain, err := newEncoder(nil)
	if err != nil {
		return nil, err
	}
	small := plain.EncodeAll(index, nil)
	out := []byte(magic)
	for _, n := range []uint32{uint32(len(small)), uint32(len(index)), crc32.Checksum(small, castagnoli), uint32(len(dictionary))} {
		out = binary.LittleEndian.AppendUint32(out, n)
	}
	if len(index) > maxIndex || len(packed) > MaxFile-maxIndex {
		return nil, fmt.Errorf("a catalogue of %d bytes, the limit is %d", len(packed)+len(index), MaxFile)
	}
	return slices.Concat(out, small, dictionary, packed), nil
}

func newEncoder(dictionary []byte) (*zstd.Encoder, error) {
	options := []zstd.EOption{zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false), zstd.WithWindowSize(window)}
	if len(dictionary) > 0 {
		options = append(options, zstd.WithEncoderDictRaw(dictionaryID, dictionary))
	}
	return zstd.NewWriter(nil, options...)
}

// The window of the frames, and the number of the dictionary in them.
const (
	window       = 8 << 20
	dictionaryID = 1
)

// maxDictionary bounds the dictionary, because every reader of a file holds it in memory, whatever
// the number of providers.
const maxDictionary = 64 << 10

// commonTexts returns a dictionary: the texts that most providers have. Those that save most come
// last, where references to them are shortest. The texts of a provider are distinct.
func commonTexts(providers [][]string) []byte {
	in := make(map[string]int) // number of providers with a text
	for _, texts := range providers {
		for _, text := range texts {
			in[text]++
		}
	}
	type common struct {
		text  string
		saves int
	}
	var list []common
	for text, n := range in {
		if n > 2 && len(text) > 3 {
			list = append(list, common{text, (n - 1) * (len(text) - 2)})
		}
	}
	slices.SortFunc(list, func(a, b common) int {
		if a.saves != b.saves {
			return b.saves - a.saves
		}
		if a.text < b.text {
			return -1
		}
		return 1
	})
	var chosen [][]byte
	size := 0
	for _, c := range list {
		entry := appendText(nil, c.text)
		if size += len(entry); size > maxDictionary {
			break
		}
		chosen = append(chosen, entry)
	}
	slices.Reverse(chosen)
	return slices.Concat(chosen...)
}
