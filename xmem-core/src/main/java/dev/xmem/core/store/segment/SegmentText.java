package dev.xmem.core.store.segment;

import org.jspecify.annotations.Nullable;

/** The text file of a segment: its words and n-grams, each checked when it is first used. Thread-safe. */
public final class SegmentText {
    private final SectionFile segment;
    private final int lines;
    private volatile @Nullable SegmentTextIndex words;
    private volatile @Nullable NgramFilter grams;

    public SegmentText(SectionFile segment, int lines) {
        this.segment = segment;
        this.lines = lines;
    }

    /** The words of the lines. */
    public SegmentTextIndex words() throws CorruptSegmentException {
        SegmentTextIndex known = words;
        if (known == null) {
            known = new SegmentTextIndex(segment, lines);
            words = known;
        }
        return known;
    }

    /** In which lines a text may be. */
    public NgramFilter grams() throws CorruptSegmentException {
        NgramFilter known = grams;
        if (known == null) {
            known = new NgramFilter(segment, lines);
            grams = known;
        }
        return known;
    }

    /** Whether the file is undamaged. */
    public boolean check() {
        try {
            segment.check();
            return true;
        } catch (CorruptSegmentException e) {
            return false;
        }
    }
}
