package dev.xmem.core.record;

/** Sees every text of a line: strings and numbers at any depth, and the keys of nested objects. */
@FunctionalInterface
public interface TextVisitor {
    /**
     * One text.
     *
     * @param field the top-level field it stands in
     * @param text the decoded text
     * @return whether to go on
     */
    boolean text(String field, String text);
}
