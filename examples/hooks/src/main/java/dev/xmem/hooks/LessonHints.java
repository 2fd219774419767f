package dev.xmem.hooks;

import dev.xmem.Advice;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Success;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Says how to note a lesson, in one line and once in a session. The environment variable {@code XMEM_HINTS=off} turns
 * it off. Thread-safe.
 */
public final class LessonHints {
    /** Whether hints are given. */
    public static final boolean ON = !"off".equalsIgnoreCase(System.getenv("XMEM_HINTS"));

    private static final int MAX_SESSIONS = 256;

    private final Set<String> told = new LinkedHashSet<>();

    /** For a hook: a session has solved a failure that has no lesson. */
    static String afterSuccess(String id) {
        return "It works now, and no lesson is known for " + id
                + ". If the cause can come back, note it in one sentence:"
                + " record_success with answers [\"" + id + "\"], or /xmem:record success with answers=" + id + ".";
    }

    /** For the tool {@code recall}: a failure without a lesson; empty if there is one, or the session was told. */
    public String afterFailure(String session, Advice advice) {
        boolean asked = advice.status() == Advice.Status.FOUND || advice.status() == Advice.Status.NOTHING_RELEVANT;
        List<Entry> known = advice.matches().stream().map(Match::entry).toList();
        if (!ON || !asked || known.stream().anyMatch(LessonHints::teaches) || !isFirst(session)) {
            return "";
        }
        String how = known.isEmpty()
                ? "record_failure with pattern_avoid"
                : "record_success with answers [\"" + known.get(0).id() + "\"]";
        return "\nNo lesson is known. When it works, note what helped: " + how + ".";
    }

    private static boolean teaches(Entry entry) {
        return entry instanceof Success || entry instanceof Failure failure && failure.patternAvoid() != null;
    }

    private synchronized boolean isFirst(String session) {
        if (!told.add(session)) {
            return false;
        }
        if (told.size() > MAX_SESSIONS) {
            told.remove(told.iterator().next());
        }
        return true;
    }
}
