package dev.xmem.core.base.json;

/** Sees the texts of a line where the parser put them. */
@FunctionalInterface
public interface CharsConsumer {
    /**
     * One text.
     *
     * @param field the top-level field it stands in
     * @param in what the decoded text stands in, during the call only; not to be changed
     * @param from where it begins
     * @param length how many characters it has
     * @return whether to go on
     */
    boolean text(String field, char[] in, int from, int length);
}
