package dev.xmem.core;

import dev.xmem.XMemStore;
import dev.xmem.core.agent.command.CommandDispatcher;
import dev.xmem.core.agent.command.CommandResult;
import java.time.InstantSource;
import java.util.Objects;

/**
 * The commands {@code /xmem:load|record|search|stats|compact} and {@code /xmem:recall}: text in, text out, so that any
 * framework can offer them. Thread-safe; remembers the last offer of at most a thousand sessions, so that a session can
 * answer it with {@code yes} or {@code no}.
 */
public final class SlashCommands {
    private final CommandDispatcher commands;

    private SlashCommands(CommandDispatcher commands) {
        this.commands = commands;
    }

    /** The commands of a store. */
    public static SlashCommands on(XMemStore store) {
        Objects.requireNonNull(store, "store");
        InstantSource clock = store instanceof DefaultStore own ? own.clock() : InstantSource.system();
        return new SlashCommands(new CommandDispatcher(store, clock));
    }

    /**
     * Carries out a command. What a user typed wrong is answered, not thrown: with what is wrong and the usage.
     *
     * @param line the command as it was typed, or the answer to an offer
     * @param session the session it was typed in
     * @throws dev.xmem.XMemException.Closed if the store is closed
     */
    public Reply execute(String line, String session) {
        CommandResult answer =
                commands.execute(Objects.requireNonNull(line, "line"), Objects.requireNonNull(session, "session"));
        return new Reply(answer.ok(), answer.text());
    }

    /**
     * The answer to a command.
     *
     * @param ok whether it was carried out
     * @param text what to show
     */
    public record Reply(boolean ok, String text) {}
}
