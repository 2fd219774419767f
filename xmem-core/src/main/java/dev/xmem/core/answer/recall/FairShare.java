package dev.xmem.core.answer.recall;

import dev.xmem.core.store.index.LogIndex;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/** Keeps one replica from crowding out the others where the number of peers' lines that are read is bounded. */
final class FairShare {
    private static final int EACH = 16;
    private static final int LOOKED_AT = 4096;

    private FairShare() {}

    /** The lines of a log in their order, those after the first {@value #EACH} of an owner behind the others. */
    static <T> List<T> of(LogIndex log, List<T> lines, ToIntFunction<T> ordinal) {
        if (log.origin().own() || lines.size() <= EACH) {
            return lines;
        }
        List<T> first = new ArrayList<>(lines.size());
        List<T> rest = new ArrayList<>();
        Map<String, Integer> lineCounts = new HashMap<>();
        for (int i = 0; i < lines.size(); i++) {
            T line = lines.get(i);
            boolean fair = i < LOOKED_AT
                    && lineCounts.merge(log.origin(ordinal.applyAsInt(line)).replica(), 1, Integer::sum) <= EACH;
            (fair ? first : rest).add(line);
        }
        first.addAll(rest);
        return first;
    }
}
