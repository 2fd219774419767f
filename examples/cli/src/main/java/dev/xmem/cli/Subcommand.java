package dev.xmem.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/** A subcommand: it has the options and streams of the top-level command, and ends in one of a few ways. */
@Command
abstract class Subcommand implements Callable<Integer> {
    @ParentCommand
    @SuppressWarnings("NullAway.Init") // the parser of the command line sets it
    RootCommand root;

    /** Prints the answer of a command that succeeded; returns its exit code. */
    final int answer(String text) throws IOException {
        root.terminal().answer(text);
        root.terminal().flush();
        return Main.OK;
    }

    /** Reports why the store refused the command; returns its exit code. */
    final int refused(Exception why) {
        root.terminal().error(root.json, String.valueOf(why.getMessage()));
        return Main.REFUSED;
    }
}
