package dev.xmem.core.store.index;

import dev.xmem.Entry;
import dev.xmem.core.store.segment.CorruptSegmentException;
import dev.xmem.core.store.segment.IndexedField;
import dev.xmem.core.store.segment.LineColumns;
import dev.xmem.core.store.segment.Postings;
import dev.xmem.core.store.segment.SegmentReader;
import java.io.UncheckedIOException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Lines that a segment tells of, and that are read from their log when it turns out to be damaged. Thread-safe. */
final class RepairingSegment implements LineColumns {
    private final int count;
    private final Supplier<LineColumns> log;
    private final ReentrantLock mending = new ReentrantLock();
    private volatile LineColumns lines;
    private volatile boolean damaged;

    RepairingSegment(LineColumns sealed, Supplier<LineColumns> log) {
        this.count = sealed.count();
        this.lines = sealed;
        this.log = log;
    }

    /** Whether the segment is of no use. */
    boolean isDamaged() {
        return damaged;
    }

    /** Looks at all of the segment; false if it is of no use. */
    boolean check() {
        try {
            if (lines instanceof SegmentReader sealed) {
                sealed.check();
            }
        } catch (CorruptSegmentException e) {
            mend(new UncheckedIOException(e));
        }
        return !damaged;
    }

    private LineColumns mend(UncheckedIOException e) {
        if (!(e.getCause() instanceof CorruptSegmentException)) {
            throw e;
        }
        mending.lock();
        try {
            if (!damaged) {
                lines = log.get();
                damaged = true;
            }
            return lines;
        } finally {
            mending.unlock();
        }
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public long offset(int line) {
        try {
            return lines.offset(line);
        } catch (UncheckedIOException e) {
            return mend(e).offset(line);
        }
    }

    @Override
    public int length(int line) {
        try {
            return lines.length(line);
        } catch (UncheckedIOException e) {
            return mend(e).length(line);
        }
    }

    @Override
    public long time(int line) {
        try {
            return lines.time(line);
        } catch (UncheckedIOException e) {
            return mend(e).time(line);
        }
    }

    @Override
    public Entry.Kind kind(int line) {
        try {
            return lines.kind(line);
        } catch (UncheckedIOException e) {
            return mend(e).kind(line);
        }
    }

    @Override
    public long digest(int line) {
        try {
            return lines.digest(line);
        } catch (UncheckedIOException e) {
            return mend(e).digest(line);
        }
    }

    @Override
    public @Nullable String id(int line) {
        try {
            return lines.id(line);
        } catch (UncheckedIOException e) {
            return mend(e).id(line);
        }
    }

    @Override
    public boolean mayHave(@Nullable String id) {
        return lines.mayHave(id);
    }

    @Override
    public int withDigest(long digest) {
        try {
            return lines.withDigest(digest);
        } catch (UncheckedIOException e) {
            return mend(e).withDigest(digest);
        }
    }

    @Override
    public Postings lines(IndexedField field, String key) {
        try {
            return lines.lines(field, key);
        } catch (UncheckedIOException e) {
            return mend(e).lines(field, key);
        }
    }

    @Override
    public void keys(IndexedField field, String prefix, Predicate<String> each) {
        try {
            lines.keys(field, prefix, each);
        } catch (UncheckedIOException e) {
            mend(e).keys(field, prefix, each);
        }
    }

    @Override
    public boolean has(IndexedField field) {
        return lines.has(field);
    }

    @Override
    public long occurrences(int line) {
        try {
            return lines.occurrences(line);
        } catch (UncheckedIOException e) {
            return mend(e).occurrences(line);
        }
    }

    @Override
    public void covering(Consumer<Integer> each) {
        try {
            lines.covering(each);
        } catch (UncheckedIOException e) {
            mend(e).covering(each);
        }
    }
}
