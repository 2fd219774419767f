package dev.xmem.core.agent.command;

/**
 * The answer to a command.
 *
 * @param ok whether it was carried out
 * @param text what to show
 */
public record CommandResult(boolean ok, String text) {
    static CommandResult ok(String text) {
        return new CommandResult(true, text);
    }

    static CommandResult refused(String text) {
        return new CommandResult(false, text);
    }
}
