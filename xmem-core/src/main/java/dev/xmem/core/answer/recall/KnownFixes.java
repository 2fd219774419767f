package dev.xmem.core.answer.recall;

import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Success;
import dev.xmem.core.answer.recall.FamilyDigest.Line;
import dev.xmem.core.answer.recall.RecallContext.Occurrence;
import dev.xmem.core.base.json.StoredEntries;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.store.segment.IndexedField;
import dev.xmem.core.store.segment.Postings;
import dev.xmem.core.text.hash.CommandLine;
import dev.xmem.core.text.hash.RecallQuery;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the successes that answer failures: those that name one, then those with its context hash. A recorded retry
 * that does the same work as the failed call is none: it differs only in what reads the output. Neither is one whose
 * change the call of the query has already. For one recall.
 */
final class KnownFixes {
    private static final double LINKED = 0.8;

    /** The most answers that are read: of one failure, and of all. Older answers are left out. */
    private static final int MAX_OF_ONE = 16;

    private static final int MAX_READ = 210;

    private final RecallContext context;
    private final RecallQuery query;
    private final List<Failure> failures = new ArrayList<>();
    private final List<Candidate> fixes = new ArrayList<>();
    private final Set<String> linkedIds = new HashSet<>();
    private int read;
    private boolean ofCall;

    private KnownFixes(RecallContext context, RecallQuery query, List<Candidate> failures) {
        this.context = context;
        this.query = query;
        for (Candidate candidate : failures) {
            if (candidate.entry() instanceof Failure failure) {
                this.failures.add(failure);
            }
        }
    }

    static KnownFixes of(RecallContext context, RecallQuery query, List<Candidate> failures, FailureFamily family)
            throws IOException {
        KnownFixes found = new KnownFixes(context, query, failures);
        for (Candidate failure : found.areLinked() ? failures : List.<Candidate>of()) {
            String id = failure.entry().id();
            found.addLinked(id);
            for (String covered : context.outcomes().coveredBy(context.snapshot(), id)) {
                found.addLinked(covered);
            }
        }
        for (Line line : family.successes()) {
            boolean linked = !found.linkedIds.isEmpty()
                    && found.linkedIds.contains(line.entry().id());
            if (!linked && (!line.retry() || found.isFix(line.entry()))) {
                found.fixes.add(family.fix(line));
            }
        }
        return found;
    }

    List<Candidate> candidates() {
        return fixes;
    }

    /** Whether another call with the same hash may have other fixes. */
    boolean dependOnCall() {
        return ofCall;
    }

    /** Whether an entry is a success, and no retry that does the work of a call that failed or of the query's call. */
    private boolean isFix(Entry entry) {
        ofCall = true;
        if (!(entry instanceof Success success)) {
            return false;
        }
        boolean useless = RecallQuery.isRetry(success) && repeats(success);
        return !useless && !RecallQuery.isNoAdvice(success, query.tool(), query.action());
    }

    private boolean repeats(Success retry) {
        String action = StoredEntries.field(retry, "action");
        String retried = action != null ? action : String.join("", retry.keySteps());
        List<Failure> answered = failures.stream()
                .filter(failure -> retry.answers().contains(failure.id()))
                .toList();
        return (answered.isEmpty() ? failures : answered)
                .stream()
                        .filter(failure -> failure.ctxHash().equals(retry.ctxHash())
                                && failure.tool().equals(retry.tool()))
                        .anyMatch(failure -> CommandLine.isSameWork(retry.tool(), failure.action(), retried));
    }

    /** Whether any line names a failure that it answers. */
    private boolean areLinked() {
        for (LogSnapshot log : context.snapshot().logs()) {
            if (log.index().lines().has(IndexedField.ANSWERED)) {
                return true;
            }
        }
        return false;
    }

    private void addLinked(String failureId) throws IOException {
        for (LogSnapshot log : context.snapshot().logs()) {
            if (log.index().lines().has(IndexedField.ANSWERED)) {
                addLinked(log, log.index().naming(IndexedField.ANSWERED, failureId), "it answers " + failureId);
            }
        }
    }

    private void addLinked(LogSnapshot log, Postings lines, String why) throws IOException {
        int until = Math.min(MAX_READ, read + MAX_OF_ONE);
        for (int i = lines.countBelow(log.count()) - 1; i >= 0 && read < until; i--, read++) {
            int ordinal = lines.at(i);
            Occurrence line = context.line(log.index(), ordinal);
            boolean shown = isFix(line.entry()) && context.shows(log, ordinal);
            if (shown && linkedIds.add(line.entry().id())) {
                fixes.add(context.candidate(line, Match.MatchType.ANSWER, LINKED, why, 1));
            }
        }
    }
}
