package dev.xmem.core.command;

/**
 * The answer to a command.
 *
 * @param ok whether it was carried out
 * @param text what to show
 */
public record Answer(boolean ok, String text) {
    static Answer ok(String text) {
        return new Answer(true, text);
    }

    static Answer refused(String text) {
        return new Answer(false, text);
    }
}
