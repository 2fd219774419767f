package dev.xmem.core.base.json;

/** Sees the texts of a line. */
@FunctionalInterface
public interface StringConsumer {
    /**
     * One text.
     *
     * @param field the top-level field it stands in
     * @param text the decoded text
     * @return whether to go on
     */
    boolean text(String field, String text);
}
