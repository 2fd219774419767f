package dev.xmem.core.base.json;

/** Receives the texts of a line as character ranges, without a string for each. */
@FunctionalInterface
public interface CharsConsumer {
    /**
     * Receives one text.
     *
     * @param field the name of the top-level field that contains it
     * @param in the parser's buffer, valid during the call only; must not be changed
     * @return whether to continue
     */
    boolean text(String field, char[] in, int from, int length);
}
