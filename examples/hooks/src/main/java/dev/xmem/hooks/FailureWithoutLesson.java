package dev.xmem.hooks;

import dev.xmem.Amendment;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Query;
import dev.xmem.XMemStore;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** The failure that a lesson is about, where a hook has recorded it without one: they are one failure. */
public final class FailureWithoutLesson {
    /** How long ago a failure may be that a lesson without a session is about. */
    private static final Duration LATELY = Duration.ofHours(1);

    private FailureWithoutLesson() {}

    /**
     * The newest failure of a family that has no lesson and stands for one call of this store. Null if there is none.
     *
     * @param session the session that recorded it; null for any of the last hour, because a person and a server do not
     *     know the session of the hooks
     */
    public static @Nullable Failure newest(XMemStore store, String ctxHash, @Nullable String session) {
        return newest(store, ctxHash, session, Instant.MAX);
    }

    private static @Nullable Failure newest(XMemStore store, String ctxHash, @Nullable String session, Instant before) {
        Query family = Query.all()
                .ctxHash(ctxHash)
                .kind(Entry.Kind.FAILURE)
                .order(Query.Order.NEWEST)
                .layout(Query.Layout.DATA);
        family = session != null
                ? family.session(session)
                : family.between(Instant.now().minus(LATELY), null);
        for (Match match : store.search(family).matches()) {
            Failure known = (Failure) match.entry();
            boolean isOwn = known.id().indexOf('@') < 0;
            boolean isOne = !known.json().contains("\"occurrences\":");
            // One in place of a private entry could leave the store.
            boolean isPrivate = known.tags().stream().anyMatch(Entry.PRIVATE::equalsIgnoreCase);
            // Times of entries are whole milliseconds.
            boolean isOlder = known.ts().isBefore(before);
            if (isOwn && isOne && isOlder && !isPrivate && known.patternAvoid() == null) {
                return known;
            }
        }
        return null;
    }

    /**
     * Lets a new failure with a lesson take the place of the one that it is about.
     *
     * @param session as in {@link #newest}
     * @param begin when the caller began: what it has recorded itself stays
     * @return the id of the failure that it replaces; null if there is none
     */
    public static @Nullable String replace(XMemStore store, Entry recorded, @Nullable String session, Instant begin) {
        if (!(recorded instanceof Failure failure) || failure.patternAvoid() == null) {
            return null;
        }
        Failure known = newest(store, failure.ctxHash(), session, begin.truncatedTo(ChronoUnit.MILLIS));
        if (known == null) {
            return null;
        }
        store.amend(known.id(), Amendment.supersededBy(recorded.id()));
        return known.id();
    }
}
