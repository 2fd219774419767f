package dev.xmem.core;

import dev.xmem.Entry;
import dev.xmem.Retention;
import dev.xmem.core.base.config.Origin;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.store.index.StoreSnapshot;
import dev.xmem.core.store.segment.IndexedField;
import dev.xmem.core.store.segment.Postings;
import org.jspecify.annotations.Nullable;

/** Whether a compaction is worth its while, by the index alone: an estimate, since subjects are not looked at. */
final class CompactionAdvisor {
    private static final long FEWEST = 100;
    private static final long SHARE = 5;

    private final Retention retention = Retention.defaults();
    private final long coldBefore;
    private long lines;
    private long alike;
    private long old;

    private CompactionAdvisor(long nowMillis) {
        this.coldBefore = nowMillis - retention.hotWindow().toMillis();
    }

    /** Why one is due: a hundred lines and a fifth of the hot logs could go. Null where it is not. */
    static @Nullable String sentence(StoreSnapshot snapshot, long nowMillis) {
        CompactionAdvisor due = new CompactionAdvisor(nowMillis);
        for (LogSnapshot log : snapshot.logs()) {
            boolean tiered =
                    log.index().kind() == Entry.Kind.FAILURE || log.index().kind() == Entry.Kind.SUCCESS;
            if (tiered && log.index().origin().tier() == Origin.Tier.HOT) {
                due.add(log);
            }
        }
        return due.sentence();
    }

    private void add(LogSnapshot log) {
        LogIndex index = log.index();
        lines += log.count();
        for (int ordinal = 0; ordinal < log.count(); ordinal++) {
            old += index.lines().time(ordinal) < coldBefore ? 1 : 0;
        }
        long window = retention.duplicateWindow().toMillis();
        for (String hash : index.keys(IndexedField.HASH)) {
            alike += alike(log, index.lines().postings(IndexedField.HASH, hash), window);
        }
    }

    /** How many lines of a family follow the one before within the window. */
    private static long alike(LogSnapshot log, Postings family, long window) {
        int n = family.countBelow(log.count());
        long alike = 0;
        for (int i = 1; i < n; i++) {
            long apart =
                    log.index().lines().time(family.at(i)) - log.index().lines().time(family.at(i - 1));
            alike += Math.abs(apart) <= window ? 1 : 0;
        }
        return alike;
    }

    private @Nullable String sentence() {
        if (alike + old < FEWEST || (alike + old) * SHARE < lines) {
            return null;
        }
        return "up to " + alike + " of " + lines + " lines repeat another within a week, and " + old
                + " are older than " + retention.hotWindow().toDays() + " days";
    }
}
