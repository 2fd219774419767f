package dev.xmem.core.index;

import dev.xmem.core.segment.Lines;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of a log to which nothing is added any more. What is known of it lies in memory at first, then in segments.
 * Thread-safe; changed by one thread at a time.
 */
final class Stretch {
    private final int number;
    private final long from;
    private final long to;
    private final Totals totals;
    private final long chain;
    private volatile Lines lines;
    private volatile @Nullable String name;
    private volatile @Nullable Text text;
    private volatile boolean hasTextFile;

    /** A stretch that was the tail until a line came that begins at {@code to}. */
    Stretch(int number, Tail full, long to, long chain) {
        this.chain = chain;
        this.number = number;
        this.from = full.from();
        this.to = to;
        this.totals = full.totals();
        this.lines = full;
    }

    /** A stretch that was sealed before. */
    Stretch(Segments.Header header, String name, Lines lines, Totals totals, long chain, boolean hasTextFile) {
        this.chain = chain;
        this.number = header.number();
        this.from = header.from();
        this.to = header.to();
        this.totals = totals;
        this.lines = lines;
        this.name = name;
        this.hasTextFile = hasTextFile;
    }

    int number() {
        return number;
    }

    /** Where it begins in its log. */
    long from() {
        return from;
    }

    /** Where it ends in its log. */
    long to() {
        return to;
    }

    /** A number made from the bytes of all lines up to its last, in their order. */
    long chain() {
        return chain;
    }

    Totals totals() {
        return totals;
    }

    Lines lines() {
        return lines;
    }

    /** What its segments are called; null as long as there are none. */
    @Nullable String name() {
        return name;
    }

    @Nullable Text text() {
        return text;
    }

    /** Whether its texts need not be read again. */
    boolean hasText() {
        return text != null || hasTextFile;
    }

    void sealed(Lines sealedLines, String sealedName) {
        lines = sealedLines;
        name = sealedName;
    }

    void text(Text known) {
        text = known;
        hasTextFile = false;
    }

    /** The file with its texts is of no use. */
    void withoutTextFile() {
        hasTextFile = false;
    }
}
