package dev.xmem.core.store.index;

import dev.xmem.Entry;
import dev.xmem.core.base.config.LogName;
import dev.xmem.core.store.segment.LogStatistics;
import dev.xmem.core.store.segment.Postings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * All logs at one time, each up to its last line then: the view that a query works on. Immutable.
 *
 * @param logs the hot logs in the order of {@link LogName}, those of peers, and the archives, the newest month first
 * @param whole whether the archives are among them, or there are none
 */
public record StoreSnapshot(List<LogSnapshot> logs, boolean whole) {
    /** Keeps a copy. */
    public StoreSnapshot {
        logs = List.copyOf(logs);
    }

    /** Whether no log has an entry. */
    public boolean isEmpty() {
        for (LogSnapshot log : logs) {
            if (log.count() > 0) {
                return false;
            }
        }
        return true;
    }

    /** The number of visible entries of a kind, now. */
    public long total(Entry.Kind kind) {
        long total = 0;
        for (LogSnapshot log : logs) {
            total += log.total(kind);
        }
        return total;
    }

    /**
     * Whether an entry with an id is here, or a line that covers it. An owner's suffix that fits no owner here is taken
     * for this store's own, as peers write it.
     */
    public boolean has(String id) {
        int mark = id.indexOf('@');
        boolean others = mark < 0;
        for (LogSnapshot log : logs) {
            others = others || mark > 0 && log.index().isOf(id.substring(mark + 1));
        }
        String named = others ? id : id.substring(0, mark);
        for (LogSnapshot log : logs) {
            if (log.has(named)) {
                return true;
            }
        }
        return false;
    }

    /** The ids of one's own lines that cover the line with this id. */
    public List<String> covering(String id) {
        List<String> covering = new ArrayList<>();
        for (LogSnapshot log : logs) {
            Postings lines = log.index().origin().own() ? log.index().covering(id) : Postings.EMPTY;
            for (int i = lines.countBelow(log.count()) - 1; i >= 0; i--) {
                if (log.shows(lines.at(i))) {
                    covering.add(log.index().id(lines.at(i)));
                }
            }
        }
        return covering;
    }

    /** The ids of the lines that the lines with this id cover; most often none. */
    public List<String> coveredBy(String id) throws IOException {
        List<String> covered = List.of();
        for (LogSnapshot log : logs) {
            Postings lines = log.index().covers() ? log.index().withShownId(id) : Postings.EMPTY;
            for (int i = lines.countBelow(log.count()) - 1; i >= 0; i--) {
                if (log.index().lines().occurrences(lines.at(i)) > 1) {
                    covered = new ArrayList<>(covered);
                    for (String each : log.index().fields(lines.at(i)).covers()) {
                        covered.add(each + log.index().origin(lines.at(i)).suffix());
                    }
                }
            }
        }
        return covered;
    }

    /** The sums of counts over all logs, without shadowed lines. */
    public Map<String, Long> counts(Function<LogStatistics, Map<String, Long>> of) {
        return counts(of, new LogStatistics());
    }

    /** The sums of counts over all logs, without shadowed lines and others. */
    public Map<String, Long> counts(Function<LogStatistics, Map<String, Long>> of, LogStatistics others) {
        Map<String, Long> all = new HashMap<>();
        for (LogSnapshot log : logs) {
            add(all, 1, of.apply(log.index().statistics().logStatistics()));
            add(all, -1, of.apply(log.hidden().statistics()));
        }
        add(all, -1, of.apply(others));
        all.values().removeIf(n -> n <= 0);
        return all;
    }

    private static void add(Map<String, Long> all, int sign, Map<String, Long> counts) {
        counts.forEach((key, n) -> all.merge(key, sign * n, Long::sum));
    }

    /** The largest counts, largest first, ties by name. */
    public static Map<String, Long> top(Map<String, Long> counts, int n) {
        if (counts.isEmpty()) {
            return Map.of();
        }
        Map<String, Long> top = new LinkedHashMap<>();
        counts.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(n)
                .forEach(each -> top.put(each.getKey(), each.getValue()));
        return top;
    }
}
