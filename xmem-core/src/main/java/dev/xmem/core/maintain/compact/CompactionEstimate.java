package dev.xmem.core.maintain.compact;

import dev.xmem.Entry;
import dev.xmem.core.answer.render.Plural;
import dev.xmem.core.base.config.Origin;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.store.index.StoreSnapshot;
import dev.xmem.core.store.segment.LineColumns;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How many lines a compaction would take out of the logs. The index has an upper bound: lines with the hash of another,
 * and old ones. If that is enough for a compaction, a sample of these lines is read and decided on as a plan does; of a
 * log with at most {@value #SAMPLE} lines, that is all of them.
 */
final class CompactionEstimate {
    /** A compaction is due if this number of lines, and one in {@link #DUE_SHARE}, would leave the logs. */
    private static final long DUE_LINES = 100;

    private static final long DUE_SHARE = 5;
    private static final int SAMPLE = 1 << 12;

    private final Planner planner;
    private final long windowMillis;
    private final long coldBefore;

    private long lines;
    private boolean exact = true;

    CompactionEstimate(Planner planner, long windowMillis, long coldBefore) {
        this.planner = planner;
        this.windowMillis = windowMillis;
        this.coldBefore = coldBefore;
    }

    /** Why a compaction is due; null if it is not. */
    @Nullable String due(StoreSnapshot snapshot) throws IOException {
        List<OfLog> logs = new ArrayList<>();
        for (LogSnapshot view : snapshot.logs()) {
            Entry.Kind kind = view.index().kind();
            boolean tiered = kind == Entry.Kind.FAILURE || kind == Entry.Kind.SUCCESS;
            if (tiered && view.index().origin().tier() == Origin.Tier.HOT) {
                lines += view.count();
                exact &= view.count() <= SAMPLE;
                logs.add(new OfLog(view));
            }
        }
        if (!isDue(logs.stream().mapToLong(log -> log.repeated + log.old).sum())) {
            return null;
        }
        long merged = 0;
        long cold = 0;
        for (OfLog log : logs) {
            merged += log.merged();
            cold += log.cold();
        }
        return isDue(merged + cold) ? text(merged, cold) : null;
    }

    private boolean isDue(long leaving) {
        return leaving >= DUE_LINES && leaving * DUE_SHARE >= lines;
    }

    private String text(long merged, long cold) {
        return (exact ? "" : "about ") + merged + " of " + Plural.of(lines, "line")
                + (merged == 1 ? " repeats" : " repeat") + " another within "
                + Plural.of(Duration.ofMillis(windowMillis).toDays(), "day") + ", and " + cold
                + (cold == 1 ? " is" : " are")
                + " old enough for an archive";
    }

    /** The estimate of one log. */
    private final class OfLog {
        private final LogSnapshot view;
        private final LogIndex log;
        /** The number of lines that follow the one before with the same hash within the window. */
        private long repeated;
        /** The number of old lines. */
        private final long old;
        /** Of the lines of each hash the first ones, as many as are looked at. */
        private final List<int[]> sample = new ArrayList<>();

        /** Those of the sample that become part of another. */
        private final BitSet covered = new BitSet();

        private long sampled;
        /** The number of those of the sample that {@link #repeated} has. */
        private long sampledRepeated;

        OfLog(LogSnapshot view) throws IOException {
            this.view = view;
            this.log = view.index();
            this.old = linesBefore(coldBefore);
            LineColumns columns = log.lines();
            int step = 1 + (view.count() - 1) / SAMPLE;
            long[] all = {0};
            view.repeatedHashes(true, same -> {
                all[0] += same.length;
                int most = (int) Math.min(same.length, all[0] / step - sampled);
                int[] some = most > 1 ? Arrays.copyOf(same, most) : new int[0];
                if (some.length > 0) {
                    sample.add(some);
                    sampled += some.length;
                }
                for (int i = 1; i < same.length; i++) {
                    if (Math.abs(columns.time(same[i]) - columns.time(same[i - 1])) <= windowMillis) {
                        repeated++;
                        sampledRepeated += i < some.length ? 1 : 0;
                    }
                }
            });
        }

        /** The number of lines that become part of another. */
        long merged() throws IOException {
            BitSet kept = new BitSet();
            DuplicateFinder finder = planner.finder(log, new UncachedLines(log), true);
            for (int[] same : sample) {
                List<Integer> candidates = new ArrayList<>();
                for (int ordinal : same) {
                    if (!covered.get(ordinal) && !kept.get(ordinal) && planner.canMerge(view, ordinal)) {
                        candidates.add(ordinal);
                    }
                }
                for (DuplicateFinder.Group group : finder.groups(
                        candidates.stream().mapToInt(Integer::intValue).toArray())) {
                    kept.set(group.kept());
                    for (int other : group.covered()) {
                        covered.set(other);
                    }
                }
            }
            int found = covered.cardinality();
            return exact || sampledRepeated == 0 ? found : Math.round((double) found * repeated / sampledRepeated);
        }

        /** The number of the other lines that move to an archive. */
        long cold() throws IOException {
            long step = 1 + (old - 1) / SAMPLE;
            long at = 0;
            long looked = 0;
            long cold = 0;
            for (int ordinal = 0; ordinal < view.count() && at < old; ordinal++) {
                if (log.lines().time(ordinal) < coldBefore && at++ % step == 0) {
                    looked++;
                    cold += planner.isCold(view, ordinal) && !covered.get(ordinal) ? 1 : 0;
                }
            }
            return looked == 0 ? 0 : Math.round((double) cold * old / looked);
        }

        /** How many lines are older than a time. */
        private long linesBefore(long time) {
            LineColumns columns = log.lines();
            int low = 0;
            if (!log.statistics().times().ascendsBelow(view.count())) {
                for (int ordinal = 0; ordinal < view.count(); ordinal++) {
                    low += columns.time(ordinal) < time ? 1 : 0;
                }
                return low;
            }
            for (int high = view.count(); low < high; ) {
                int middle = (low + high) >>> 1;
                if (columns.time(middle) < time) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return low;
        }
    }
}
