package dev.xmem.core.answer.recall;

import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Success;
import dev.xmem.core.base.json.StoredEntries;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.store.segment.Postings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The entries of one context hash: the newest failures and successes, and in how many sessions the failure was seen. Made
 * for one recall.
 */
final class FailureFamily {
    private static final int LOOKED_AT = 70;
    private static final double SAME_SUBJECT = 0.8;
    private static final double SAME_FAMILY = 0.6;

    private final RecallContext reading;
    private final List<Occurrence> failures = new ArrayList<>();
    private final List<Occurrence> successes = new ArrayList<>();
    private final Map<String, Integer> perSession = new HashMap<>();
    private long seen;
    private final Set<String> independent = new HashSet<>();
    private long withoutSession;
    private long lastMillis;

    private FailureFamily(RecallContext reading) {
        this.reading = reading;
    }

    /** The entries with this hash. */
    static FailureFamily of(RecallContext reading, String hash) throws IOException {
        FailureFamily family = new FailureFamily(reading);
        for (LogSnapshot log : reading.snapshot().logs()) {
            Postings lines = log.index().withHash(hash);
            int n = lines.countBelow(log.count());
            if (n > 0) {
                family.add(log, lines, n);
            }
        }
        return family;
    }

    private void add(LogSnapshot log, Postings lines, int n) throws IOException {
        boolean counts = log.index().kind() == Entry.Kind.FAILURE;
        boolean plain = reading.isPlain(log);
        seen += counts && plain ? n : 0;
        int read = 0;
        for (int ordinal : newestFirst(log, lines, n, plain ? LOOKED_AT : n)) {
            if (!reading.shows(log, ordinal)) {
                continue;
            }
            seen += counts && !plain ? log.index().lines().occurrences(ordinal) : 0;
            if (read++ >= LOOKED_AT) {
                continue;
            }
            Occurrence line = reading.line(log.index(), ordinal);
            if (line.entry() instanceof Failure) {
                failures.add(line);
                count(line);
                lastMillis = Math.max(lastMillis, line.millis());
            } else if (line.entry() instanceof Success) {
                successes.add(line);
            }
        }
    }

    private void count(Occurrence line) {
        Set<String> sessions = StoredEntries.sessions(line.entry());
        withoutSession += sessions.isEmpty() ? line.times() : 0;
        for (String session : sessions) {
            perSession.put(session, perSession.getOrDefault(session, 0) + 1);
        }
        independent.addAll(StoredEntries.independentSessions(line.entry()));
    }

    /** By their times; those of one time, and all where the times ascend, by their places. */
    private int[] newestFirst(LogSnapshot log, Postings lines, int n, int most) {
        if (log.index().statistics().times().ascendsBelow(log.count())) {
            int[] newest = new int[Math.min(n, most)];
            for (int i = 0; i < newest.length; i++) {
                newest[i] = lines.at(n - 1 - i);
            }
            return newest;
        }
        return IntStream.range(0, n)
                .mapToObj(i -> lines.at(n - 1 - i))
                .sorted(Comparator.comparingLong((Integer ordinal) -> reading.millis(log.index(), ordinal))
                        .reversed())
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** Failures, those about this subject nearer than the others. */
    List<Candidate> failures(String subject, String hash) throws IOException {
        List<Candidate> found = new ArrayList<>(failures.size());
        String same = "the same failure, about " + subject + " too";
        String family = "the same context hash, " + hash;
        for (Occurrence line : failures) {
            boolean near = !subject.isEmpty() && subject.equals(StoredEntries.field(line.entry(), "subject"));
            found.add(reading.found(
                    line, Match.MatchType.EXACT, near ? SAME_SUBJECT : SAME_FAMILY, near ? same : family, sessions()));
        }
        return found;
    }

    /** Successes that carry the hash of the failure. */
    List<Occurrence> successes() {
        return successes;
    }

    /** How often the failure was seen. */
    int seen() {
        return (int) Math.min(Integer.MAX_VALUE, seen);
    }

    /** In how many sessions the newest of them were seen; each without a session is one of its own. */
    int sessions() {
        return (int) Math.min(Integer.MAX_VALUE, perSession.size() + withoutSession);
    }

    /** In how many sessions, those of each other machine together being one. */
    int independentSessions() {
        return independent.size();
    }

    /** In how many of the sessions that are known by name. */
    int namedSessions() {
        return perSession.size();
    }

    /** When last; 0 for an unknown time. */
    long lastMillis() {
        return lastMillis;
    }

    /** In how many named sessions the failure came again. */
    int repeated() {
        int repeated = 0;
        for (int times : perSession.values()) {
            repeated += times > 1 ? 1 : 0;
        }
        return repeated;
    }
}
