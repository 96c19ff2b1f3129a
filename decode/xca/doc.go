// Package xca decompresses the three formats of Microsoft's Xpress Compression
// Algorithm, [MS-XCA], in which a trace session may store its buffers: plain
// LZ77, LZ77 with Huffman codes, and LZNT1. All three rebuild the output from
// literal bytes and from matches, which repeat earlier output:
//
//	DecodePlain    format 3, XPRESS            [MS-XCA] 2.3, 2.4
//	DecodeHuffman  format 4, XPRESS with       [MS-XCA] 2.1, 2.2
//	               Huffman codes
//	DecodeLZNT1    format 2, LZNT1             [MS-XCA] 2.5
//
// None of the formats stores the size of its output. The caller knows it (in a
// trace: WMI_BUFFER_HEADER.SavedOffset - 0x48) and passes a dst of that length,
// which is a hard bound. The decoders have one contract:
//
//   - They return the number of bytes of output in dst, together with an error if
//     there is one, so that the output before the damage can be kept. If a match
//     would exceed the bound, the part that fits is written and counted. Bytes of
//     dst after the count are undefined; nothing after len(dst) is written.
//   - When dst is full they stop with a nil error and leave the rest of src unread.
//     Real streams end in up to four unread bytes, a word of unused flags.
//   - When src ends between two tokens, they return fewer than len(dst) bytes and a
//     nil error; the caller decides whether that is an error.
//   - They do not allocate, keep no state and retain neither slice. dst and src
//     must not overlap.
//
// A bad stream gives one of ErrTruncated, ErrCorrupt and ErrFull, unwrapped: only the
// caller knows the position in the trace.
//
// [MS-XCA]: https://learn.microsoft.com/en-us/openspecs/windows_protocols/ms-xca
package xca
