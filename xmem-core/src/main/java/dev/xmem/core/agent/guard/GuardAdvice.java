package dev.xmem.core.agent.guard;

import dev.xmem.Advice;
import dev.xmem.Failure;
import dev.xmem.Layer;
import dev.xmem.Match;
import dev.xmem.core.answer.render.Fence;
import dev.xmem.core.base.json.StoredEntries;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The advice of a guard.
 *
 * @param written holds the id of the recorded failure as soon as it is written; null if nothing is recorded
 * @param repeats how often the call failed unchanged in its session; 0 if that is not known
 * @param seen how often its family was seen
 * @param ctxHash the context hash of the failure; null if it is about none
 */
record GuardAdvice(
        Status status,
        List<Match> matches,
        Failure.BlockLevel level,
        String text,
        int tokens,
        String reason,
        @Nullable AtomicReference<@Nullable String> written,
        int repeats,
        int seen,
        @Nullable String ctxHash)
        implements Advice {
    /** The recall exceeded its time limit. */
    static final GuardAdvice TOO_LATE = tooLate(null);

    private static final int ENTRY_BYTES = 256;

    GuardAdvice {
        matches = List.copyOf(matches);
    }

    /** An advice without text. */
    static GuardAdvice silent(Status status, String reason) {
        return silent(status, reason, null);
    }

    static GuardAdvice tooLate(@Nullable AtomicReference<@Nullable String> written) {
        return silent(Status.UNAVAILABLE, "the memory did not answer in time", written);
    }

    private static GuardAdvice silent(
            Status status, String reason, @Nullable AtomicReference<@Nullable String> written) {
        return new GuardAdvice(status, List.of(), Failure.BlockLevel.WARNING, "", 0, reason, written, 0, 0, null);
    }

    /** An advice with these matches and no text yet. */
    static GuardAdvice found(Collection<Match> matches, Failure.BlockLevel level, String reason) {
        return new GuardAdvice(Status.FOUND, List.copyOf(matches), level, "", 0, reason, null, 0, 0, null);
    }

    /** The advice of a recall, with the level that its evidence supports. */
    static GuardAdvice of(Advice advice, @Nullable AtomicReference<@Nullable String> written) {
        return new GuardAdvice(
                advice.status(),
                advice.matches(),
                level(advice),
                advice.text(),
                advice.tokens(),
                advice.reason(),
                written,
                advice.repeats(),
                advice.seen(),
                advice.ctxHash());
    }

    GuardAdvice repeated(int times) {
        return new GuardAdvice(status, matches, level, text, tokens, reason, written, times, seen, ctxHash);
    }

    GuardAdvice seen(int times) {
        return new GuardAdvice(status, matches, level, text, tokens, reason, written, repeats, times, ctxHash);
    }

    GuardAdvice about(String hash) {
        return new GuardAdvice(status, matches, level, text, tokens, reason, written, repeats, seen, hash);
    }

    /** This advice as a warning of a level, before any call has failed. */
    GuardAdvice asWarning(Failure.BlockLevel rated, String why) {
        return new GuardAdvice(status, matches, rated, text, tokens, why, written, 0, seen, null);
    }

    /** This advice with more lines at the beginning of its text. */
    GuardAdvice with(List<String> lines, GuardStore store) {
        String more = String.join("\n", lines);
        String whole = store.fenced(text.isEmpty() ? more : more + '\n' + Fence.inside(text));
        String why = lines.get(0) + (status == Status.FOUND ? "; " + reason : "");
        return new GuardAdvice(
                Status.FOUND,
                matches,
                level,
                whole,
                store.config().tokens().estimate(whole),
                why,
                written,
                repeats,
                seen,
                ctxHash);
    }

    /**
     * Critical only if the recall says so and enough independent sessions recorded a failure that is marked critical.
     */
    private static Failure.BlockLevel level(Advice advice) {
        Set<String> sessions = new HashSet<>();
        boolean critical = false;
        for (Match match : advice.matches()) {
            boolean own = match.layer() == Layer.PROJECT
                    && !StoredEntries.isOfPeer(match.entry().id());
            if (own && match.entry() instanceof Failure failure && match.matchType() == Match.MatchType.EXACT) {
                sessions.addAll(StoredEntries.independentSessions(failure));
                critical |= failure.blockLevel() == Failure.BlockLevel.CRITICAL;
            }
        }
        return critical && sessions.size() >= FailureGroup.REPEATED ? advice.level() : Failure.BlockLevel.WARNING;
    }

    @Override
    public @Nullable String recordedId() {
        return written == null ? null : written.get();
    }

    /** The approximate size in bytes. */
    static int weight(Advice advice) {
        int bytes = ENTRY_BYTES + 2 * (advice.text().length() + advice.reason().length());
        for (Match match : advice.matches()) {
            bytes += ENTRY_BYTES + match.entry().json().length();
        }
        return bytes;
    }
}
