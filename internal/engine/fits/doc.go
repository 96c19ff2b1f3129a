// Package fits checks how much of a payload its description reads: whole, in part, or damaged. It
// makes no rows.
package fits
