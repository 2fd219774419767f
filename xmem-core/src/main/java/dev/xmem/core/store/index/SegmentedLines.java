package dev.xmem.core.store.index;

import dev.xmem.Entry;
import dev.xmem.core.store.segment.ConcatenatedPostings;
import dev.xmem.core.store.segment.IndexedField;
import dev.xmem.core.store.segment.LineColumns;
import dev.xmem.core.store.segment.Postings;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lines that are stored in several parts, numbered consecutively. A column of a line is read from the part that stores
 * it. {@link #of} returns a {@link Memtable} or a {@link dev.xmem.core.store.segment.SegmentReader} and almost never
 * another class, so that the calls below are bimorphic and are inlined: filters and sorting make one for every line.
 */
interface SegmentedLines extends LineColumns {
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
