// Package inputs finds and reads the inputs of a command: files, folders, patterns,
// archives, URLs of web servers and buckets, and standard input.
//
//  1. [Servers.Find] looks up the URLs among the arguments.
//  2. [Find] lists the files that the arguments stand for, and absent inputs;
//     [FindPlanned] lists the files of a plan.
//  3. [Reader.Each] visits the traces in the files, and in the archives among them.
//  4. [Progress] counts the finished files, traces and bytes.
package inputs
