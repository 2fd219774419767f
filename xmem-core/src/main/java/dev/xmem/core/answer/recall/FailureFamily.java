package dev.xmem.core.answer.recall;

import dev.xmem.Match;
import dev.xmem.core.answer.recall.FamilyDigest.Line;
import dev.xmem.core.text.hash.RuleBasedHasher;
import dev.xmem.spi.ContextHash;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The entries with one context hash as candidates. For one recall.
 *
 * @param digest the entries, and how often the hash was seen
 * @param hash the context hash of the failure that is recalled
 */
record FailureFamily(FamilyDigest digest, ContextHash hash, long nowMillis, boolean isCatchAll) {
    private static final double SAME_SUBJECT = 0.8;
    private static final double SAME_HASH = 0.6;

    FailureFamily(FamilyDigest digest, ContextHash hash, long nowMillis) {
        this(digest, hash, nowMillis, RuleBasedHasher.isCatchAll(hash));
    }

    /**
     * The failures as candidates. Those with the same subject score higher. Those of a catch-all family are only
     * candidates if they are similar.
     */
    List<Candidate> failures(SimilarFailures similar) throws IOException {
        return isCatchAll
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
            candidates.add(candidate(line, near ? SAME_SUBJECT : SAME_HASH, near ? sameSubject : sameHash));
        }
        return candidates;
    }

    /** A success with this hash. */
    Candidate fix(Line line) {
        return candidate(line, SAME_HASH, "it has the same context hash");
    }

    private Candidate candidate(Line line, double base, String why) {
        Match.MatchType type = Match.MatchType.EXACT;
        int sessions = digest.sessions();
        return Candidate.of(line.occurrence(), line.state(), line.says(), type, base, why, sessions, nowMillis);
    }

    /**
     * The successes with this hash; none of a catch-all family, because nothing says that they are about the failure.
     */
    List<Line> successes() {
        return isCatchAll ? List.of() : digest.successes;
    }

    /** The subject of the hash if any failure is about it, else empty: the advice depends on nothing else of it. */
    String subject() {
        return digest.subjects.contains(hash.subject()) ? hash.subject() : "";
    }
}
