package dev.xmem.core.store.segment;

import dev.xmem.Entry;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The columns of consecutive lines of a log, and the postings of their fields: all that an index knows of a line
 * besides its text. This is the one declaration of each column. Lines are numbered from 0. Thread-safe.
 *
 * <p>Where a section of a segment is damaged, a method throws an {@link java.io.UncheckedIOException} with a
 * {@link CorruptSegmentException} as its cause.
 */
public interface LineColumns {
    /** The number of lines. */
    int count();

    /** The offset of a line in its file, in bytes. */
    long offset(int line);

    /** The length of a line in bytes, without its line end. */
    int length(int line);

    /** The time of a line, in milliseconds since 1970. */
    long time(int line);

    /** The kind of a line. */
    Entry.Kind kind(int line);

    /** The 64-bit digest of the bytes of a line. */
    long digest(int line);

    /** The id in a line; null if it has none. */
    @Nullable String id(int line);

    /** How many occurrences a line stands for: more than one where it covers other lines. */
    long occurrences(int line);

    /** Whether a line with this id may be here; null asks for a line without an id. */
    boolean mayHave(@Nullable String id);

    /** Whether each line is known to have an id that no other line here has. */
    default boolean idsDiffer() {
        return false;
    }

    /** The first line with a digest; -1 if there is none. */
    int withDigest(long digest);

    /** As {@link #withDigest(long)} of a line with this id, or without one. */
    default int withDigest(long digest, @Nullable String id) {
        return mayHave(id) ? withDigest(digest) : -1;
    }

    /** The lines with a key. */
    Postings postings(IndexedField field, String key);

    /**
     * Passes on the keys of a field that begin with a prefix, until {@code each} returns false. The keys of a hash
     * field are in ascending order unless the prefix is empty; those of other fields in any order.
     */
    void keys(IndexedField field, String prefix, Predicate<String> each);

    /** Whether a field has any key. */
    boolean has(IndexedField field);

    /** Passes on the lines that cover other lines. */
    void covering(Consumer<Integer> each);
}
