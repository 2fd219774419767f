package dev.xmem.core.store.index;

import dev.xmem.core.store.segment.DailyIdCounter;
import dev.xmem.core.store.segment.IndexedField;
import dev.xmem.core.store.segment.LineColumns;
import dev.xmem.core.store.segment.Postings;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The ids that several lines of one owner have, by day. The ids of a day are read once for this store and once for all
 * others, after {@value #ASKED_OFTEN} questions about it. Until then every id counts as possibly repeated; ids of
 * another form always do. Any thread asks, one thread adds. Decision: docs/adr/0078-pages-of-data.md.
 */
final class RepeatedIds {
    private static final int DAY_CHARS = "2026-01-01".length();
    private static final int ASKED_OFTEN = 32;
    private static final int MOST_DAYS = 1 << 16;
    /** The days of years that follow each other are in different slots. */
    private static final int SLOTS = 2048;

    private final Map<Integer, Day> days = new ConcurrentHashMap<>();
    /** The days that were last asked for, of those that are known: a page asks for few. Written by any thread. */
    private final @Nullable Known[] lately = new @Nullable Known[SLOTS];

    /** The repeated ids of a day of an owner. */
    private record Known(int key, Set<String> repeated) {}

    /** A day of an owner: how often it was asked for, and the repeated ids once they are known. */
    private record Day(int asked, @Nullable Set<String> repeated) {}

    /** Whether several lines of the logs of an owner may have an id. */
    boolean mayHave(String id, String replica, List<LogIndex> logs) {
        int date = DailyIdCounter.dayOf(id);
        if (date < 0) {
            return true;
        }
        int key = key(date, replica);
        int slot = key & SLOTS - 1;
        Known same = lately[slot];
        if (same != null && same.key == key) {
            return !same.repeated.isEmpty() && same.repeated.contains(named(id, replica));
        }
        Day day = days.get(key);
        if (day != null && day.repeated != null) {
            lately[slot] = new Known(key, day.repeated);
            return !day.repeated.isEmpty() && day.repeated.contains(named(id, replica));
        }
        if (day == null && days.size() >= MOST_DAYS) {
            return true;
        }
        days.compute(key, (k, known) -> {
            int asked = known == null ? 1 : known.asked + 1;
            boolean isKnown = known != null && known.repeated != null;
            return isKnown ? known : new Day(asked, asked < ASKED_OFTEN ? null : repeated(id, replica, logs));
        });
        return true;
    }

    /** One for the days of this store, one for those of all others. */
    private static int key(int date, String replica) {
        return replica.isEmpty() ? date : ~date;
    }

    private static String named(String id, String replica) {
        return replica.isEmpty() ? id : id + replica;
    }

    private static Set<String> repeated(String id, String replica, List<LogIndex> logs) {
        Set<String> seen = new HashSet<>();
        Set<String> repeated = ConcurrentHashMap.newKeySet();
        String prefix = id.substring(0, DAY_CHARS + 1);
        for (LogIndex log : logs) {
            if (log.origin().own() == replica.isEmpty()) {
                SegmentList lines = log.segments();
                for (int place = 0; place <= lines.places(); place++) {
                    LineColumns part = lines.place(place);
                    if (replica.isEmpty()) {
                        add(part, prefix, seen, repeated);
                    } else {
                        addOwned(log, part, lines.placeBase(place), prefix, seen, repeated);
                    }
                }
            }
        }
        return repeated;
    }

    private static void addOwned(
            LogIndex log, LineColumns lines, int base, String prefix, Set<String> seen, Set<String> repeated) {
        lines.keys(IndexedField.ID, prefix, id -> {
            Postings with = lines.postings(IndexedField.ID, id);
            for (int i = with.countBelow(Integer.MAX_VALUE) - 1; i >= 0; i--) {
                String name = named(id, log.origin(base + with.at(i)).replica());
                if (!seen.add(name)) {
                    repeated.add(name);
                }
            }
            return true;
        });
    }

    private static void add(LineColumns lines, String prefix, Set<String> seen, Set<String> repeated) {
        boolean differ = lines.idsDiffer();
        lines.keys(IndexedField.ID, prefix, id -> {
            if (!seen.add(id) || !differ && lines.postings(IndexedField.ID, id).countBelow(Integer.MAX_VALUE) > 1) {
                repeated.add(id);
            }
            return true;
        });
    }

    /** Notes the ids of the lines of a log from an ordinal on. */
    void added(LogIndex log, int from, List<LogIndex> logs) {
        for (int ordinal = from; ordinal < log.count() && !days.isEmpty(); ordinal++) {
            String id = log.lines().id(ordinal);
            int date = id == null ? -1 : DailyIdCounter.dayOf(id);
            if (id != null && date >= 0) {
                String replica = log.origin(ordinal).replica();
                days.computeIfPresent(key(date, replica), (key, day) -> {
                    add(day.repeated, id, replica, logs);
                    return day;
                });
            }
        }
    }

    private static void add(@Nullable Set<String> repeated, String id, String replica, List<LogIndex> logs) {
        if (repeated == null || repeated.contains(named(id, replica))) {
            return;
        }
        int lines = 0;
        for (LogIndex log : logs) {
            lines += log.of(log.withId(id), owner -> owner.replica().equals(replica))
                    .countBelow(log.origin().own() == replica.isEmpty() ? Integer.MAX_VALUE : 0);
        }
        if (lines > 1) {
            repeated.add(named(id, replica));
        }
    }
}
