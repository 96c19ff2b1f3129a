package decode

import (
	"bytes"
	"strings"

	"github.com/etl2parquet/etl2parquet/schema"
)

// Hooks of the header group, with which a session describes itself (phnt
// WMI_LOG_TYPE_*; all but 0x0043 seen).
const (
	HookHeaderExtension = 0x0005
	HookEndExtension    = 0x0020
	HookDbgIDRSDS       = 0x0040
	HookBuildLab        = 0x0042
	HookProviderPath    = 0x0043
	HookPartitionInfo   = 0x0050
)

// GroupMaskWords is the number of words in a group mask (PERF_NUM_MASKS).
const GroupMaskWords = 8

// GroupMasks is the payload of hooks 0x0005 and 0x0020: the groups of kernel events
// enabled at the start and at the end of the session.
type GroupMasks struct {
	Masks              [GroupMaskWords]uint32 // 0x00; word 0 is EnableFlags
	KernelEventVersion uint32                 // 0x20; 0 if the record is too old to have it
}

// ParseGroupMasks reads the payload of [HookHeaderExtension] or [HookEndExtension].
func ParseGroupMasks(p []byte) (GroupMasks, error) {
	var g GroupMasks
	if len(p) < 4*GroupMaskWords {
		return g, BlobError(0, "HeaderExtension.GroupMasks", ErrTruncated, "the record has %d bytes", len(p))
	}
	for i := range g.Masks {
		g.Masks[i] = le.Uint32(p[4*i:])
	}
	if p = p[4*GroupMaskWords:]; len(p) >= 4 {
		g.KernelEventVersion = le.Uint32(p)
	}
	return g, nil
}

// ProviderPDB is the payload of hook 0x0040: it identifies the PDB of a provider's
// binary, which holds the texts of its WPP messages.
type ProviderPDB struct {
	GUID schema.GUID // 0x00
	Age  uint32      // 0x10
	Name string      // 0x14
}

// ParseProviderPDB reads the payload of [HookDbgIDRSDS].
func ParseProviderPDB(p []byte) (ProviderPDB, error) {
	if len(p) < 0x14 {
		return ProviderPDB{}, BlobError(0, "DbgIdRSDS", ErrTruncated, "the record has %d bytes", len(p))
	}
	return ProviderPDB{GUID: guidAt(p), Age: le.Uint32(p[0x10:]), Name: NarrowText(p[0x14:])}, nil
}

// ParseBuildLab reads the payload of [HookBuildLab], such as
// "26100.1.amd64fre.ge_release.240331-1435".
func ParseBuildLab(p []byte) string { return NarrowText(p) }

// ParseBuildInfo reads the BuildLab of the payload of SysConfig/BuildInfo
// ([schema.BuildInfoType]), which the merge tools write; "" if it is too short.
func ParseBuildInfo(p []byte) string {
	const installDate = 8 // bytes of a FILETIME before the text
	p = p[min(installDate, len(p)):]
	return string(AppendUTF16(nil, p[:TextEnd(schema.Text16, p)]))
}

// PartitionInfo is the payload of hook 0x0050: the virtual machine or container in
// which the session ran, on Windows 10 and later.
type PartitionInfo struct {
	EventVersion      uint16      // 0x00
	PartitionType     uint32      // 0x04
	QPCOffsetFromRoot int64       // 0x08, ticks
	PartitionID       schema.GUID // 0x10
	ParentID          schema.GUID // 0x20
}

// ParsePartitionInfo reads the payload of [HookPartitionInfo].
func ParsePartitionInfo(p []byte) (PartitionInfo, error) {
	if len(p) < 0x30 {
		return PartitionInfo{}, BlobError(0, "PartitionInfoExtension", ErrTruncated, "the record has %d bytes", len(p))
	}
	return PartitionInfo{
		EventVersion:      le.Uint16(p),
		PartitionType:     le.Uint32(p[0x04:]),
		QPCOffsetFromRoot: int64(le.Uint64(p[0x08:])),
		PartitionID:       guidAt(p[0x10:]),
		ParentID:          guidAt(p[0x20:]),
	}, nil
}

// ProviderTraits is the data of an [ItemProviderTraits] (format: ETW provider
// traits, learn.microsoft.com/windows/win32/etw/provider-traits).
type ProviderTraits struct {
	Name  string      // of the provider
	Group schema.GUID // provider group; zero if there is none
}

const providerTraitGroup = 1

// ParseProviderTraits reads the well-formed part of data. A name without NUL is an error.
func ParseProviderTraits(data []byte) (ProviderTraits, error) {
	if len(data) < 3 {
		return ProviderTraits{}, BlobError(0, "provider traits", ErrTruncated, "the traits have %d bytes", len(data))
	}
	data = data[2:min(len(data), max(2, int(le.Uint16(data))))]
	end := bytes.IndexByte(data, 0)
	if end < 0 {
		return ProviderTraits{}, BlobError(2, "provider traits name", ErrTruncated, "no NUL in %d bytes", len(data))
	}
	t := ProviderTraits{Name: strings.ToValidUTF8(string(data[:end]), "\uFFFD")}
	for rest := data[end+1:]; len(rest) >= 3; {
		size := int(le.Uint16(rest))
		if size < 3 || size > len(rest) {
			return t, nil
		}
		if rest[2] == providerTraitGroup && size >= 3+16 {
			t.Group = guidAt(rest[3:])
		}
		rest = rest[size:]
	}
	return t, nil
}
