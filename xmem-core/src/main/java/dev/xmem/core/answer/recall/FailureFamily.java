package dev.xmem.core.answer.recall;

import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Success;
import dev.xmem.core.answer.recall.RecallContext.Occurrence;
import dev.xmem.core.base.json.StoredEntries;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.store.segment.Postings;
import dev.xmem.core.text.hash.RuleBasedHasher;
import dev.xmem.spi.ContextHash;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** The entries with one context hash: the newest failures and successes, and the occurrence counts. For one recall. */
final class FailureFamily {
    /** The most lines that are read from a log; older lines only count as occurrences. */
    private static final int MAX_READ = 70;

    private static final double SAME_SUBJECT = 0.8;
    private static final double SAME_HASH = 0.6;

    private final RecallContext context;
    private final boolean catchAll;
    private final List<Occurrence> failures = new ArrayList<>();
    private final List<Occurrence> successes = new ArrayList<>();
    private final Map<String, Integer> failuresBySession = new HashMap<>();
    private final Set<String> independentSessions = new HashSet<>();
    private final Set<String> peers = new HashSet<>();
    private long occurrences;
    private long peerOccurrences;
    private long withoutSession;
    private long lastMillis;
    private long lastOwnMillis;

    FailureFamily(RecallContext context, ContextHash hash) throws IOException {
        this.context = context;
        this.catchAll = RuleBasedHasher.isCatchAll(hash);
        for (LogSnapshot log : context.snapshot().logs()) {
            Postings lines = log.index().withHash(hash.value());
            int n = lines.countBelow(log.count());
            if (n > 0) {
                add(log, lines, n);
            }
        }
    }

    private void add(LogSnapshot log, Postings lines, int n) throws IOException {
        boolean failureLog = log.index().kind() == Entry.Kind.FAILURE;
        boolean plain = context.isPlain(log);
        long seen = failureLog && plain ? n : 0;
        int read = 0;
        boolean ownLog = log.index().origin().own();
        List<Integer> newest = newestFirst(log, lines, n, plain && ownLog ? MAX_READ : n);
        for (int ordinal : FairShare.of(log.index(), newest, line -> line)) {
            if (read >= MAX_READ && plain) {
                break;
            }
            if (!context.shows(log, ordinal)) {
                continue;
            }
            seen += failureLog && !plain ? log.index().lines().occurrences(ordinal) : 0;
            if (read++ >= MAX_READ) {
                continue;
            }
            Occurrence line = context.line(log.index(), ordinal);
            if (line.entry() instanceof Failure) {
                seen += failureLog ? 0 : line.occurrences(); // another program put it into a log of another kind
                failures.add(line);
                count(line);
                lastMillis = Math.max(lastMillis, line.millis());
            } else if (line.entry() instanceof Success) {
                successes.add(line);
            }
        }
        if (ownLog) {
            occurrences += seen;
        } else {
            peerOccurrences += seen;
        }
    }

    /** Counts a failure of this store by its sessions, and any number of a peer as one session. */
    private void count(Occurrence line) {
        if (!line.owner().own()) {
            peers.add(line.owner().replica());
            return;
        }
        lastOwnMillis = Math.max(lastOwnMillis, line.millis());
        Set<String> sessions = StoredEntries.sessions(line.entry());
        withoutSession += sessions.isEmpty() ? line.occurrences() : 0;
        for (String session : sessions) {
            failuresBySession.put(session, failuresBySession.getOrDefault(session, 0) + 1);
        }
        independentSessions.addAll(StoredEntries.independentSessions(line.entry()));
    }

    /** By time; lines of one time, and all lines of a log whose times ascend, by position. */
    private List<Integer> newestFirst(LogSnapshot log, Postings lines, int n, int most) {
        if (log.index().statistics().times().ascendsBelow(log.count())) {
            List<Integer> newest = new ArrayList<>(Math.min(n, most));
            for (int i = 0; i < Math.min(n, most); i++) {
                newest.add(lines.at(n - 1 - i));
            }
            return newest;
        }
        return IntStream.range(0, n)
                .mapToObj(i -> lines.at(n - 1 - i))
                .sorted((one, other) ->
                        Long.compare(context.millis(log.index(), other), context.millis(log.index(), one)))
                .toList();
    }

    /**
     * The failures as candidates. Those with the same subject score higher. Those of a catch-all family are only
     * candidates if they are similar.
     */
    List<Candidate> failures(ContextHash hash, SimilarFailures similar) throws IOException {
        if (catchAll) {
            return similar.ofCatchAll(failures);
        }
        List<Candidate> candidates = new ArrayList<>(failures.size());
        String subject = hash.subject();
        String sameSubject = "the same failure, about " + subject + " too";
        String sameHash = "the same context hash, " + hash.value();
        for (Occurrence line : failures) {
            boolean near = !subject.isEmpty() && subject.equals(StoredEntries.field(line.entry(), "subject"));
            String why = near ? sameSubject : sameHash;
            double base = near ? SAME_SUBJECT : SAME_HASH;
            candidates.add(context.candidate(line, Match.MatchType.EXACT, base, why, sessions()));
        }
        return candidates;
    }

    /**
     * The successes with this hash; none of a catch-all family, because nothing says that they are about the failure.
     */
    List<Occurrence> successes() {
        return catchAll ? List.of() : successes;
    }

    /** The ids of the failures that were read. */
    List<String> failureIds() {
        return ids(failures);
    }

    /** The ids of the successes that were read. */
    List<String> successIds() {
        return ids(successes);
    }

    private static List<String> ids(List<Occurrence> lines) {
        List<String> ids = new ArrayList<>(lines.size());
        for (Occurrence line : lines) {
            ids.add(line.entry().id());
        }
        return ids;
    }

    /** Whether the hash tells no cause. */
    boolean isCatchAll() {
        return catchAll;
    }

    /** How often this store saw the failure. */
    int occurrences() {
        return (int) Math.min(Integer.MAX_VALUE, occurrences);
    }

    /** How often peers say that they saw it: their lines, and the lines that these name as covered. */
    int peerOccurrences() {
        return (int) Math.min(Integer.MAX_VALUE, peerOccurrences);
    }

    /** The number of sessions of the newest failures; each failure without a session counts as one, as does a peer. */
    int sessions() {
        return (int) Math.min(Integer.MAX_VALUE, failuresBySession.size() + withoutSession + peers.size());
    }

    /** The number of this store's sessions; each failure without a session counts as one. */
    int independentSessions() {
        return independentSessions.size();
    }

    /** The number of this store's sessions that are known by name. */
    int namedSessions() {
        return failuresBySession.size();
    }

    /** The time of the newest failure; 0 if no time is known. */
    long lastMillis() {
        return lastMillis;
    }

    /** The same, of this store's failures if there are any. */
    long lastOwnMillis() {
        return lastOwnMillis > 0 ? lastOwnMillis : lastMillis;
    }

    /** The number of named sessions in which the failure occurred more than once. */
    int repeated() {
        int repeated = 0;
        for (int times : failuresBySession.values()) {
            repeated += times > 1 ? 1 : 0;
        }
        return repeated;
    }
}
