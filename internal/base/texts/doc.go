// Package texts writes texts for people and shells, and JSON, and reads what people write.
//
//   - Numbers, sizes and durations: [Grouped], [Counted], [RoundSize], [Size], [Elapsed].
//   - Character cells of a terminal, in which texts are measured, shortened and wrapped: [Width],
//     [Shortened], [Wrap]. A letter has one cell, a Chinese, Japanese or Korean one and an emoji two, and a
//     combining mark none.
//   - Columns: a [Grid] lays out a page, wraps its cells and cuts nothing; a [Table] takes rows one after
//     another, and cuts what does not fit. A [Style] marks headings.
//   - Texts from untrusted sources: [AppendLine] and [Printable] make one safe in a line; [Message],
//     [AppendSafe], [AppendSafeWord] and [SafeWriter] use it for
//     output.
//   - JSON, for values of more than one spelling: [AppendJSON], [AppendJSONFloat]; [JSONMembers] divides it.
//   - Words of command lines: [ShellWord].
//   - Misspelt names: [Nearest], [DidYouMean].
//   - [Pattern], for regular expressions that most runs do not use.
package texts
