package dev.xmem.core.agent.command;

/**
 * The result of a command.
 *
 * @param ok whether the command was executed
 * @param text the text to show
 */
public record CommandResult(boolean ok, String text) {
    static CommandResult ok(String text) {
        return new CommandResult(true, text);
    }

    static CommandResult refused(String text) {
        return new CommandResult(false, text);
    }
}
