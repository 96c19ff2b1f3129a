// Package textpool keeps each text once, by number. Workers number the texts that they find, and
// have decoded and hashed them when the pools of a trace take them over, one worker after another.
package textpool
