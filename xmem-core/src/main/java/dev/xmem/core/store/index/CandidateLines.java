package dev.xmem.core.store.index;

import dev.xmem.core.store.segment.ConcatenatedPostings;
import dev.xmem.core.store.segment.Postings;
import dev.xmem.core.store.terms.RequiredTerms;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The candidates among the lines of a log, looked up where and when they are asked for. For one search. */
final class CandidateLines implements LogIndex.Candidates {
    /** The active segment has two parts: its sealed head, and the lines in memory. */
    private static final int PARTS_OF_ACTIVE = 2;

    private final TextIndexes texts;
    private final SegmentList lines;
    private final String text;
    private final RequiredTerms inner;
    private int parts;

    CandidateLines(TextIndexes texts, SegmentList lines, String text) {
        this.texts = texts;
        this.lines = lines;
        this.text = text;
        this.inner = RequiredTerms.of(text);
        this.parts = lines.full().size() + PARTS_OF_ACTIVE;
    }

    @Override
    public @Nullable Postings all() throws IOException {
        ConcatenatedPostings.Builder all = new ConcatenatedPostings.Builder();
        boolean some = false;
        for (int part = 0; part < lines.full().size() + PARTS_OF_ACTIVE; part++) {
            some |= texts.add(lines, part, text, inner, all);
        }
        return some ? all.build() : null;
    }

    @Override
    public @Nullable Postings older() throws IOException {
        while (parts > 0) {
            ConcatenatedPostings.Builder some = new ConcatenatedPostings.Builder();
            texts.add(lines, --parts, text, inner, some);
            Postings found = some.build();
            if (found != Postings.EMPTY) {
                return found;
            }
        }
        return null;
    }
}
