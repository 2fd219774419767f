package dev.xmem.core.store.index;

import dev.xmem.core.store.segment.DailyIdCounter;
import dev.xmem.core.store.segment.IndexedField;
import dev.xmem.core.store.segment.LineColumns;
import dev.xmem.core.store.segment.Postings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The ids that several lines of one owner have, by day. The ids of a day are read once for this store and once for all
 * others, after {@value #ASKED_OFTEN} questions about it. Until then every id counts as possibly repeated; ids of
 * another form always do. Any thread asks, one thread adds. Decision: docs/adr/0078-pages-of-data.md.
 */
final class RepeatedIds {
    private static final int DAY_CHARS = "2026-01-01".length();
    /** A page asks less often. To read the ids of a day takes longer than to answer all questions of a page. */
    private static final int ASKED_OFTEN = 128;

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
        SeenIds seen = new SeenIds(id.substring(0, DAY_CHARS + 1));
        for (LogIndex log : logs) {
            if (log.origin().own() == replica.isEmpty()) {
                SegmentList lines = log.segments();
                for (int place = 0; place < lines.places(); place++) {
                    seen.add(log, lines.place(place), lines.placeBase(place));
                }
                ActiveSegment active = lines.active();
                for (int part = 0; part < active.parts(); part++) {
                    seen.add(log, active.part(part), lines.activeBase() + active.base(part));
                }
            }
        }
        return seen.repeated();
    }

    /** The ids of one day, each as a number: eight bytes in place of a text. */
    private static final class SeenIds {
        private final String prefix;
        private final LongStream.Builder numbers = LongStream.builder();
        /** The place of each replica that has lines; that of this store is named by an empty text. */
        private final Map<String, Integer> places = new LinkedHashMap<>();

        SeenIds(String prefix) {
            this.prefix = prefix;
        }

        void add(LogIndex log, LineColumns lines, int base) {
            boolean once = log.origin().own() && lines.idsDiffer();
            lines.keys(IndexedField.ID, prefix, id -> {
                if (once) {
                    add(id, "");
                } else {
                    Postings with = lines.postings(IndexedField.ID, id);
                    for (int i = with.countBelow(Integer.MAX_VALUE) - 1; i >= 0; i--) {
                        add(id, log.origin(base + with.at(i)).replica());
                    }
                }
                return true;
            });
        }

        /** Adds an id of the form of a day. A digit before its number keeps the zeros with which that begins. */
        private void add(String id, String replica) {
            if (DailyIdCounter.isId(id)) {
                long place = places.computeIfAbsent(replica, key -> places.size());
                int number = 1;
                for (int i = prefix.length(); i < id.length(); i++) {
                    number = 10 * number + id.charAt(i) - '0';
                }
                numbers.add(place << Integer.SIZE | number);
            }
        }

        Set<String> repeated() {
            Set<String> repeated = ConcurrentHashMap.newKeySet();
            List<String> replicas = List.copyOf(places.keySet());
            long[] sorted = numbers.build().sorted().toArray();
            for (int i = 1; i < sorted.length; i++) {
                if (sorted[i] == sorted[i - 1]) {
                    String number = String.valueOf((int) sorted[i]).substring(1);
                    repeated.add(named(prefix + number, replicas.get((int) (sorted[i] >>> Integer.SIZE))));
                }
            }
            return repeated;
        }
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
