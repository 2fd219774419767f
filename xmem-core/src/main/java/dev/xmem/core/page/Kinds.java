package dev.xmem.core.page;

import dev.xmem.Entry;
import dev.xmem.Match;
import java.util.List;
import java.util.stream.IntStream;

/** Which of the first entries of a ranking are of a kind. */
final class Kinds {
    private Kinds() {}

    /** Their places in the ranking, in its order. */
    static int[] indexes(List<Match> ranked, Entry.Kind kind, int first) {
        return IntStream.range(0, first)
                .filter(i -> ranked.get(i).entry().kind() == kind)
                .toArray();
    }
}
