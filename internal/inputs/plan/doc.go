// Package plan divides inputs among several processes that convert them into one
// dataset.
//
//  1. [New] and [Plan.Add] list the files and their traces, with the names that the
//     traces get in the dataset.
//  2. [Plan.Share] gives each file to a shard.
//  3. Each process reads the plan and converts the files that [Plan.Find] returns.
package plan
