package dev.xmem.core.index;

import dev.xmem.core.segment.BadSegment;
import dev.xmem.core.segment.Segment;
import dev.xmem.core.segment.Trigrams;
import dev.xmem.core.words.SealedWords;

/**
 * What is known of the texts of a sealed stretch.
 *
 * @param words where each word stands
 * @param trigrams which blocks of lines may hold a text
 */
record Text(SealedWords words, Trigrams trigrams) {
    static Text of(Segment segment) throws BadSegment {
        return new Text(new SealedWords(segment), new Trigrams(segment));
    }
}
