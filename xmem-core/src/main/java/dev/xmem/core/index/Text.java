package dev.xmem.core.index;

import dev.xmem.core.segment.BadSegment;
import dev.xmem.core.segment.Grams;
import dev.xmem.core.segment.Segment;
import dev.xmem.core.words.SealedWords;
import org.jspecify.annotations.Nullable;

/** What a segment tells of the texts of a stretch; each part is checked when it is first wanted. Thread-safe. */
final class Text {
    private final Segment segment;
    private final int lines;
    private volatile @Nullable SealedWords words;
    private volatile @Nullable Grams grams;

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

    /** In which lines a text may stand. */
    Grams grams() throws BadSegment {
        Grams known = grams;
        if (known == null) {
            known = new Grams(segment, lines);
            grams = known;
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
