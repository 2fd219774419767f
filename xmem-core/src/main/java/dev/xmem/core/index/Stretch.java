package dev.xmem.core.index;

import dev.xmem.core.segment.Lines;
import dev.xmem.core.words.InnerWords;
import java.util.BitSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of a log to which nothing is added any more, or the beginning of one. What is known of it lies in memory at
 * first, then in segments. Thread-safe; changed by one thread at a time.
 */
final class Stretch {
    private final int number;
    private final long from;
    private final long to;
    private final Totals totals;
    private final long chain;
    private volatile Lines lines;
    private volatile @Nullable Supplier<Lines> log;
    private volatile @Nullable String name;
    private volatile @Nullable Text text;
    private volatile boolean hasTextFile;
    private volatile @Nullable BitSet longLines;

    /** What grew until its log was so long. */
    Stretch(int number, Growing grown, long to) {
        this.number = number;
        this.from = grown.from();
        this.to = to;
        this.totals = grown.totals();
        this.chain = grown.chain(grown.count());
        this.lines = grown;
    }

    /** A stretch that was sealed before. */
    Stretch(Segments.Header header, String name, Lines lines, Totals totals, boolean hasTextFile) {
        this.number = header.number();
        this.from = header.from();
        this.to = header.to();
        this.totals = totals;
        this.chain = header.chain();
        this.lines = lines;
        this.name = name;
        this.hasTextFile = hasTextFile;
    }

    /** Its place among the stretches of its log. */
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

    /** The chain of numbers made from the bytes of its lines. */
    long chain() {
        return chain;
    }

    /** The chain of the lines below this one. */
    static long chain(Lines lines, int cutoff) {
        long chain = 0;
        for (int line = 0; line < cutoff; line++) {
            chain = Columns.next(chain, lines.digest(line));
        }
        return chain;
    }

    Totals totals() {
        return totals;
    }

    Lines lines() {
        return lines;
    }

    /** What its segments are called; null as long as there are none of use. */
    @Nullable String name() {
        return lines instanceof Mended mended && mended.isDamaged() ? null : name;
    }

    /** The lines that may have more words than are analysed. Not to be changed. */
    BitSet longLines() {
        BitSet known = longLines;
        if (known == null) {
            known = new BitSet();
            for (int line = 0; line < lines.count(); line++) {
                if (lines.length(line) >= InnerWords.WHOLLY_ANALYSED_BYTES) {
                    known.set(line);
                }
            }
            longLines = known;
        }
        return known;
    }

    @Nullable Text text() {
        return text;
    }

    /** Whether its texts need not be read again. */
    boolean hasText() {
        return text != null || hasTextFile;
    }

    /** Where a segment of its lines turns out to be damaged, they are read from the log. */
    void mendedBy(Supplier<Lines> source) {
        log = source;
        if (name != null) {
            lines = new Mended(lines, source);
        }
    }

    void sealed(Lines sealedLines, String sealedName) {
        Supplier<Lines> source = log;
        lines = source == null ? sealedLines : new Mended(sealedLines, source);
        name = sealedName;
    }

    void text(Text known) {
        text = known;
        hasTextFile = false;
    }

    /** There is a file with its texts, which are read from there. */
    void withTextFile() {
        text = null;
        hasTextFile = true;
    }

    /** The file with its texts is of no use. */
    void withoutTextFile() {
        text = null;
        hasTextFile = false;
    }
}
