// Package agent serves the traces of a machine to agents: programs that ask questions for a language
// model, over the Model Context Protocol (MCP, https://modelcontextprotocol.io). A message is a line of
// JSON on standard input or output.
//
//  1. [Serve] offers five tools (tools.go), and the pages of the views as resources.
//  2. A call names a trace below the folders that the user allowed, or none for the inputs of the
//     server (roots.go).
//  3. One call runs at a time, with a limit on its time, so that the memory of the process is that of
//     one call. A call that the agent cancels ends.
//  4. An answer is text for a model: the facts of traces with the views that have rows and the reasons
//     why others have none (contents.go), or rows, cut with the number of all (rows.go).
//
// How traces are read and SQL is run comes from the caller, as a [Source].
package agent
