package dev.xmem.core.agent.command;

import org.jspecify.annotations.Nullable;

/**
 * The result of a command.
 *
 * @param ok whether the command was executed
 * @param text the text to show
 * @param recorded the id of the entry that was recorded; null if none was
 */
public record CommandResult(
        boolean ok, String text, @Nullable String recorded) {
    static CommandResult ok(String text) {
        return new CommandResult(true, text, null);
    }

    static CommandResult refused(String text) {
        return new CommandResult(false, text, null);
    }
}
