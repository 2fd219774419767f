package dev.xmem.core.index;

import dev.xmem.core.segment.BadSegment;
import dev.xmem.core.segment.Segment;
import dev.xmem.core.segment.Trigrams;
import dev.xmem.core.words.SealedWords;
import org.jspecify.annotations.Nullable;

/** What a segment tells of the texts of a stretch; each part is checked when it is first wanted. Thread-safe. */
final class Text {
    private final Segment segment;
    private final int lines;
    private volatile @Nullable SealedWords words;
    private volatile @Nullable Trigrams trigrams;

    Text(Segment segment, int lines) {
        this.segment = segment;
        this.lines = lines;
    }

    /** Where each word stands. */
    SealedWords words() throws BadSegment {
        SealedWords known = words;
        if (known == null) {
            known = new SealedWords(segment, lines);
            words = known;
        }
        return known;
    }

    /** Which blocks of lines may hold a text. */
    Trigrams trigrams() throws BadSegment {
        Trigrams known = trigrams;
        if (known == null) {
            known = new Trigrams(segment, lines);
            trigrams = known;
        }
        return known;
    }

    /** Whether all of it is undamaged. */
    boolean check() {
        try {
            segment.check();
            return true;
        } catch (BadSegment e) {
            return false;
        }
    }
}
