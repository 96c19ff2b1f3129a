package main

import (
	"embed"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/cmd/etl2parquet/internal/usage"
	"github.com/etl2parquet/etl2parquet/internal/base/version"
)

//go:embed help
var help embed.FS

// newCommand completes a command: with the texts of help/NAME.txt, and with flags, which the help
// lists in this order. The file has the usage line, the short description, and after an empty line
// the long one, and then examples below the line "Examples:".
func newCommand(name string, cmd *cobra.Command, flags ...[]option) *cobra.Command {
	text, err := help.ReadFile("help/" + name + ".txt")
	if err != nil {
		panic(err) // the command has no help
	}
	cmd.Use, cmd.Long, _ = strings.Cut(strings.TrimSuffix(string(text), "\n"), "\n")
	cmd.Short, cmd.Long, _ = strings.Cut(cmd.Long, "\n")
	cmd.Long, cmd.Example, _ = strings.Cut(cmd.Long, "\nExamples:\n")
	cmd.Args = nonEmpty(cmd.Args)
	cmd.Flags().SortFlags = false
	for _, options := range flags {
		for i := range options {
			options[i].add(cmd)
		}
	}
	return cmd
}

// nonEmpty returns a check of arguments that also rejects empty ones. check may be nil.
func nonEmpty(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if i := slices.Index(args, ""); i >= 0 {
			return usagef("argument %d of %s is empty: is a variable of the command line empty?", i+1, cmd.CommandPath())
		}
		if check == nil {
			return nil
		}
		return check(cmd, args)
	}
}

// group makes a command with subcommands, which by itself only prints its help.
func group(name string, commands ...*cobra.Command) *cobra.Command {
	cmd := newCommand(name, &cobra.Command{
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError{usage.UnknownCommand(cmd, args[0])}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	})
	cmd.AddCommand(commands...)
	return cmd
}

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
		{"catalog", a.catalogCommand}, {"views", a.viewsCommand}, {"cache", a.cacheCommand}, {"version", a.versionCommand}, {"man", a.manCommand},
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

// rootCommand returns the program's command with all commands below it.
func (a *app) rootCommand() *cobra.Command {
	root := a.bareRoot()
	a.addCommands(root)
	addStandardCommands(root)
	return root
}

// rootCommandOf returns the program's command for some arguments. If the first names a command, it is the
// only one below it: making all of them took a tenth of the time of version.
func (a *app) rootCommandOf(args []string) *cobra.Command {
	for _, c := range a.commands() {
		if len(args) > 0 && args[0] == c.name {
			root := a.bareRoot()
			root.AddCommand(c.make())
			root.CompletionOptions.DisableDefaultCmd = true
			root.SetHelpCommand(&cobra.Command{Hidden: true}) // cobra would make its own
			return root
		}
	}
	return a.rootCommand()
}

func (a *app) bareRoot() *cobra.Command {
	root := newCommand("etl2parquet", &cobra.Command{
		Args:          cobra.ArbitraryArgs, // see usage.Command
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       toolVersion(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return usageError{usage.Command(cmd, a.args, args[0])}
		},
	})
	root.SetHelpFunc(a.help)
	root.SetVersionTemplate(version.Text())
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		a.addCommands(root) // the error may name other commands
		return usageError{usage.Flag(cmd, a.args, err)}
	})
	return root
}

// addStandardCommands adds cobra's commands help and completion, and makes them
// reject unknown words, which they would ignore.
func addStandardCommands(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "help":
			help := cmd.Run
			cmd.RunE = func(cmd *cobra.Command, args []string) error {
				command, rest, err := root.Find(args)
				switch {
				case err != nil || command == root && len(rest) > 0:
					return usageError{usage.UnknownCommand(root, args[0])}
				case len(rest) > 0:
					return usagef("%s has no command %q; see %s --help", command.CommandPath(), rest[0], command.CommandPath())
				}
				help(cmd, args)
				return nil
			}
		case "completion":
			var shells []string
			for _, shell := range cmd.Commands() {
				shells = append(shells, shell.Name())
			}
			cmd.Args = cobra.ArbitraryArgs
			cmd.DisableFlagsInUseLine = true
			cmd.RunE = func(cmd *cobra.Command, args []string) error {
				if len(args) > 0 {
					return usagef("no completion for the shell %q; there is one for %s", args[0], strings.Join(shells, ", "))
				}
				return cmd.Help()
			}
		}
	}
}
