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

    /**
     * Lines that are stored in several parts, numbered consecutively. A column of a line is read from the part that
     * stores it. {@link #of} returns a table in memory or a {@link SegmentReader} and almost never another class, so
     * that the calls below are bimorphic and are inlined: filters and sorting make one for every line.
     */
    interface InParts extends LineColumns {
        /** The part that stores a line. */
        LineColumns of(int line);

        /** The number of a line in the part that stores it. */
        int in(int line);

        /** The number of parts. */
        int parts();

        /** A part, by its number from 0. */
        LineColumns part(int number);

        /** The number of the first line of a part. */
        int base(int part);

        @Override
        default long offset(int line) {
            return of(line).offset(in(line));
        }

        @Override
        default int length(int line) {
            return of(line).length(in(line));
        }

        @Override
        default long time(int line) {
            return of(line).time(in(line));
        }

        @Override
        default Entry.Kind kind(int line) {
            return of(line).kind(in(line));
        }

        @Override
        default long digest(int line) {
            return of(line).digest(in(line));
        }

        @Override
        default @Nullable String id(int line) {
            return of(line).id(in(line));
        }

        @Override
        default long occurrences(int line) {
            return of(line).occurrences(in(line));
        }

        @Override
        default boolean mayHave(@Nullable String id) {
            for (int i = 0; i < parts(); i++) {
                if (part(i).mayHave(id)) {
                    return true;
                }
            }
            return false;
        }

        @Override
        default int withDigest(long digest) {
            for (int i = 0; i < parts(); i++) {
                int line = part(i).withDigest(digest);
                if (line >= 0) {
                    return base(i) + line;
                }
            }
            return -1;
        }

        @Override
        default int withDigest(long digest, @Nullable String id) {
            for (int i = 0; i < parts(); i++) {
                int line = part(i).withDigest(digest, id);
                if (line >= 0) {
                    return base(i) + line;
                }
            }
            return -1;
        }

        @Override
        default Postings postings(IndexedField field, String key) {
            Postings first = part(0).postings(field, key);
            ConcatenatedPostings.Builder all = null; // most keys are in one part, and most look-ups find none
            for (int i = 1; i < parts(); i++) {
                Postings more = part(i).postings(field, key);
                if (more != Postings.EMPTY) {
                    if (all == null) {
                        all = new ConcatenatedPostings.Builder();
                        all.add(0, first);
                    }
                    all.add(base(i), more);
                }
            }
            return all == null ? first : all.build();
        }

        @Override
        default boolean has(IndexedField field) {
            for (int i = 0; i < parts(); i++) {
                if (part(i).has(field)) {
                    return true;
                }
            }
            return false;
        }

        @Override
        default void covering(Consumer<Integer> each) {
            for (int i = 0; i < parts(); i++) {
                int base = base(i);
                part(i).covering(line -> each.accept(base + line));
            }
        }
    }
}
