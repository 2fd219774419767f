package dev.xmem.core;

import dev.xmem.XMemStore;
import dev.xmem.core.agent.command.CommandDispatcher;
import dev.xmem.core.agent.command.CommandResult;
import dev.xmem.spi.TokenEstimator;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Executes the commands {@code /xmem:load|record|recall|search|remember|stats|compact}. A command and its answer are
 * text, so that any framework can offer them. Thread-safe. Remembers the last question to each of at most a thousand
 * sessions: an offer, which the session answers with {@code yes} or {@code no}, or a field that {@code /xmem:record}
 * needs.
 */
public final class SlashCommands {
    private final CommandDispatcher commands;

    private SlashCommands(CommandDispatcher commands) {
        this.commands = commands;
    }

    /** Returns the commands of a store. */
    public static SlashCommands on(XMemStore store) {
        Objects.requireNonNull(store, "store");
        if (store instanceof DefaultStore own) {
            return new SlashCommands(new CommandDispatcher(store, own.clock(), own::fitsPage, own::isLarge));
        }
        Predicate<String> fits = text -> TokenEstimator.heuristic().estimate(text) <= XMem.TOKEN_BUDGET;
        return new SlashCommands(new CommandDispatcher(store, InstantSource.system(), fits, () -> false));
    }

    /**
     * Executes a command. A mistake of the user is not thrown: the reply explains it and shows the usage.
     *
     * @param line the command as it was typed, or the answer to a question
     * @param session the session it was typed in
     * @throws dev.xmem.XMemException.Closed if the store is closed
     * @throws dev.xmem.XMemException.Busy if another process holds a lock for too long; nothing was written
     * @throws dev.xmem.XMemException.Io if a file cannot be read or written
     */
    public Reply execute(String line, String session) {
        CommandResult answer =
                commands.execute(Objects.requireNonNull(line, "line"), Objects.requireNonNull(session, "session"));
        return new Reply(answer.ok(), answer.text(), answer.recorded());
    }

    /**
     * Answers a line of a user in place of the model, for an adapter. Does not throw, unless an argument is null: the
     * reply to a command that fails says why.
     *
     * @param line what the user typed
     * @param session the session it was typed in
     * @return the reply to a command, or to the answer to a question that a command asked; empty for any other line,
     *     which is for the model
     */
    public Optional<String> answer(String line, String session) {
        boolean command = line.strip().startsWith("/xmem:");
        boolean asked = asks(session);
        try {
            Reply reply = execute(line, session);
            return command || reply.ok() ? Optional.of(reply.text()) : Optional.empty();
        } catch (RuntimeException e) {
            return command || asked ? Optional.of(String.valueOf(e.getMessage())) : Optional.empty();
        }
    }

    /**
     * Returns whether the last reply to a session asks a question. {@link #execute} takes the session's next line for
     * the answer, unless it is a command.
     */
    public boolean asks(String session) {
        return commands.asks(Objects.requireNonNull(session, "session"));
    }

    /**
     * The reply to a command.
     *
     * @param ok whether the command was executed
     * @param text the text to show
     * @param recorded the id of the entry that the command recorded; null if it recorded none
     */
    public record Reply(boolean ok, String text, @Nullable String recorded) {}
}
