// Package fixed makes the rows of the tables that do not hold events: those about the trace, its
// buffers, providers, kinds of event, processes, threads, images, methods, files and problems.
package fixed
