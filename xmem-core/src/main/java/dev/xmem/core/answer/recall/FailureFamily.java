package dev.xmem.core.answer.recall;

import dev.xmem.Match;
import dev.xmem.core.answer.recall.FamilyDigest.Line;
import dev.xmem.core.text.hash.RuleBasedHasher;
import dev.xmem.spi.ContextHash;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The entries with one context hash, as candidates, and the counts of their {@link FamilyDigest}. For one recall. */
final class FailureFamily {
    private static final double SAME_SUBJECT = 0.8;
    private static final double SAME_HASH = 0.6;

    private final ContextHash hash;
    private final long nowMillis;
    private final boolean catchAll;
    private final FamilyDigest digest;

    FailureFamily(FamilyDigest digest, ContextHash hash, long nowMillis) {
        this.hash = hash;
        this.nowMillis = nowMillis;
        this.catchAll = RuleBasedHasher.isCatchAll(hash);
        this.digest = digest;
    }

    /**
     * The failures as candidates. Those with the same subject score higher. Those of a catch-all family are only
     * candidates if they are similar.
     */
    List<Candidate> failures(SimilarFailures similar) throws IOException {
        return catchAll
                ? similar.ofCatchAll(
                        digest.failures.stream().map(Line::occurrence).toList())
                : failures();
    }

    /** The failures of a family that is no catch-all. */
    List<Candidate> failures() {
        List<Candidate> candidates = new ArrayList<>(digest.failures.size());
        String subject = hash.subject();
        String sameSubject = "the same failure, about " + subject + " too";
        String sameHash = "the same context hash, " + hash.value();
        for (Line line : digest.failures) {
            boolean near = !subject.isEmpty() && subject.equals(line.subject());
            String why = near ? sameSubject : sameHash;
            double base = near ? SAME_SUBJECT : SAME_HASH;
            candidates.add(candidate(line, base, why));
        }
        return candidates;
    }

    /** A success with this hash. */
    Candidate fix(Line line) {
        return candidate(line, SAME_HASH, "it has the same context hash");
    }

    private Candidate candidate(Line line, double base, String why) {
        Match.MatchType type = Match.MatchType.EXACT;
        return Candidate.of(line.occurrence(), line.state(), line.says(), type, base, why, sessions(), nowMillis);
    }

    /**
     * The successes with this hash; none of a catch-all family, because nothing says that they are about the failure.
     */
    List<Line> successes() {
        return catchAll ? List.of() : digest.successes;
    }

    /** The failures that were read. */
    List<Line> readFailures() {
        return digest.failures;
    }

    /** The subject of the hash if any failure is about it, and else none: what is told depends on no more of it. */
    String subject() {
        return digest.subjects.contains(hash.subject()) ? hash.subject() : "";
    }

    /** The successes that were read. */
    List<Line> readSuccesses() {
        return digest.successes;
    }

    /** Whether the hash tells no cause. */
    boolean isCatchAll() {
        return catchAll;
    }

    /** Whether any of the failures says that it is critical. */
    boolean isCritical() {
        return digest.critical;
    }

    /** How often this store saw the failure. */
    int occurrences() {
        return (int) Math.min(Integer.MAX_VALUE, digest.occurrences);
    }

    /** How often peers say that they saw it: their lines, and the lines that these name as covered. */
    int peerOccurrences() {
        return (int) Math.min(Integer.MAX_VALUE, digest.peerOccurrences);
    }

    /** The number of sessions of the newest failures; each failure without a session counts as one, as does a peer. */
    int sessions() {
        return (int) Math.min(
                Integer.MAX_VALUE, digest.failuresBySession.size() + digest.withoutSession + digest.peers.size());
    }

    /** The number of this store's sessions; each failure without a session counts as one. */
    int independentSessions() {
        return digest.independentSessions.size();
    }

    /** The number of this store's sessions that are known by name. */
    int namedSessions() {
        return digest.failuresBySession.size();
    }

    /** The time of the newest failure; 0 if no time is known. */
    long lastMillis() {
        return digest.lastMillis;
    }

    /** The same, of this store's failures if there are any. */
    long lastOwnMillis() {
        return digest.lastOwnMillis > 0 ? digest.lastOwnMillis : digest.lastMillis;
    }

    /** The number of named sessions in which the failure occurred more than once. */
    int repeated() {
        return digest.repeated;
    }
}
