// Package redact replaces the names of people and machines in rows by pseudonyms.
//
// A [Learner] reads the rows of a trace once and collects the names in it: from columns that are known
// to hold them, and from places in texts where they stand, such as the folder of a user in a path. Its
// [Mask] then replaces these names, and everything that has the form of a name, in the rows that are
// given out:
//
//   - in columns of users, hosts and command lines the whole value;
//   - in other texts the user folders of paths, SIDs, addresses, accounts with @, hosts of URLs and
//     network paths, values behind words such as "User:", and the names that were collected, as whole
//     words.
//
// Bytes that nothing decodes are left out: any name can be in them.
//
// A pseudonym is a keyed hash of what it replaces: equal names have equal pseudonyms in all columns,
// tables and traces, and without the key a guess cannot be tested.
package redact
