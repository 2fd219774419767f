package dev.xmem.core.agent.guard;

import dev.xmem.Advice;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.core.base.json.StoredEntries;
import java.util.HashSet;
import java.util.Set;

/** How much speaks for a warning: one odd failure is no rule. Stateless. */
final class WarningThreshold {
    /** How many sessions must have seen a failure; a failure without a session counts as one of its own. */
    static final int REPEATED = 2;

    private WarningThreshold() {}

    /** The level of an advice: critical only if the recall says so, and sessions enough saw a failure that is marked so. */
    static Failure.BlockLevel level(Advice advice) {
        Set<String> sessions = new HashSet<>();
        boolean critical = false;
        for (Match match : advice.matches()) {
            if (match.entry() instanceof Failure failure && match.matchType() == Match.MatchType.EXACT) {
                sessions.addAll(StoredEntries.independentSessions(failure));
                critical |= failure.blockLevel() == Failure.BlockLevel.CRITICAL;
            }
        }
        boolean proven = critical && sessions.size() >= REPEATED;
        return proven ? advice.level() : Failure.BlockLevel.WARNING;
    }

    /** The sessions that a failure counts for; what has none is a session of its own, also after a compaction. */
    static Set<String> sessions(Failure failure) {
        return StoredEntries.sessionsOrItself(failure);
    }
}
