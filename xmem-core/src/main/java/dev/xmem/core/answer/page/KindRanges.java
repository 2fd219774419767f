package dev.xmem.core.answer.page;

import dev.xmem.Entry;
import dev.xmem.Match;
import java.util.Arrays;
import java.util.List;

/** Which of the first entries of a ranking are of a kind. */
final class KindRanges {
    private KindRanges() {}

    /** Their places in the ranking, in its order. */
    static int[] indexes(List<Match> ranked, Entry.Kind kind, int first) {
        int[] indexes = new int[first];
        int found = 0;
        for (int i = 0; i < first; i++) {
            if (ranked.get(i).entry().kind() == kind) {
                indexes[found++] = i;
            }
        }
        return Arrays.copyOf(indexes, found);
    }
}
