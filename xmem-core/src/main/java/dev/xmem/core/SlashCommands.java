package dev.xmem.core;

import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import java.util.Objects;

/** The commands {@code /xmem:load|record|search|stats|compact}: text in, text out. Immutable and thread-safe. */
public final class SlashCommands {
    private SlashCommands() {}

    /** The commands of a store. */
    public static SlashCommands on(XMemStore store) {
        Objects.requireNonNull(store, "store");
        return new SlashCommands();
    }

    /**
     * Carries out a command.
     *
     * @param line the command as it was typed
     * @param session the session it was typed in
     * @throws XMemException.Unsupported always: the commands are not there yet in this version
     */
    public Reply execute(String line, String session) {
        throw new XMemException.Unsupported("slash commands are not there yet in this version of xmem.");
    }

    /**
     * The answer to a command.
     *
     * @param ok whether it was carried out
     * @param text what to show
     */
    public record Reply(boolean ok, String text) {}
}
