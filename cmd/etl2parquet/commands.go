package main

import "github.com/spf13/cobra"

// namedCommand is a command of the program, with the function that makes it.
type namedCommand struct {
	name string
	make func() *cobra.Command
}

// commands returns the commands, in the order of the help.
func (a *app) commands() []namedCommand {
	return []namedCommand{
		{"convert", a.convertCommand}, {"plan", a.planCommand}, {"check", a.checkCommand}, {"clean", a.cleanCommand},
		{"info", a.infoCommand}, {"cat", a.catCommand}, {"splits", a.splitsCommand}, {"query", a.queryCommand},
		{"report", a.reportCommand}, {"export", a.exportCommand}, {"mcp", a.mcpCommand}, {"bench", a.benchCommand},
		{"symbols", a.symbolsCommand}, {"describe", a.describeCommand}, {"explain", a.explainCommand},
		{"catalog", a.catalogCommand}, {"cache", a.cacheCommand}, {"version", a.versionCommand},
	}
}

// addCommands adds the commands that root lacks.
func (a *app) addCommands(root *cobra.Command) {
	has := make(map[string]bool)
	for _, cmd := range root.Commands() {
		has[cmd.Name()] = true
	}
	for _, c := range a.commands() {
		if !has[c.name] {
			root.AddCommand(c.make())
		}
	}
}
