package dev.xmem.core.store.segment;

import dev.xmem.Entry;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What is known of some lines of a log that follow each other; the first has the number 0. Thread-safe. */
public interface LineColumns {
    /** How many lines there are. */
    int count();

    /** Where a line begins in its file. */
    long offset(int line);

    /** How long a line is, in bytes without its line end. */
    int length(int line);

    /** The time of a line, in milliseconds since 1970. */
    long time(int line);

    /** What a line is. */
    Entry.Kind kind(int line);

    /** A number made from the bytes of a line. */
    long digest(int line);

    /** The id in a line; null if it has none. */
    @Nullable String id(int line);

    /** Whether a line with this id may be here; null asks for a line without one. */
    boolean mayHave(@Nullable String id);

    /** The first line with a digest; -1 if there is none. */
    int withDigest(long digest);

    /** The lines with a key. */
    Postings lines(IndexedField field, String key);

    /**
     * Hands over the keys of a field that begin with a text, those of hashes in their order unless the text is empty, until the
     * taker says by false that it needs no later one.
     */
    void keys(IndexedField field, String prefix, Predicate<String> each);

    /** Whether a field has any key. */
    boolean has(IndexedField field);

    /** How often a line happened: more than once where it covers others. */
    long occurrences(int line);

    /** Hands over the lines that cover others. */
    void covering(Consumer<Integer> each);
}
