package dev.xmem.core.answer.recall;

import dev.xmem.Match;
import dev.xmem.Success;
import dev.xmem.core.answer.recall.RecallContext.Occurrence;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.store.segment.IndexedField;
import dev.xmem.core.store.segment.Postings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Finds the successes that answer failures: those that name one, then those with its context hash. For one recall. */
final class KnownFixes {
    private static final double LINKED = 0.8;
    private static final double SAME_HASH = 0.6;

    private final RecallContext context;
    private final List<Candidate> fixes = new ArrayList<>();
    private final Set<String> linkedIds = new HashSet<>();

    private KnownFixes(RecallContext context) {
        this.context = context;
    }

    static List<Candidate> of(RecallContext context, List<Candidate> failures, FailureFamily family)
            throws IOException {
        KnownFixes found = new KnownFixes(context);
        for (Candidate failure : failures) {
            String id = failure.entry().id();
            found.addLinked(id);
            for (String covered : context.outcomes().coveredBy(context.snapshot(), id)) {
                found.addLinked(covered);
            }
        }
        for (Occurrence line : family.successes()) {
            if (!found.linkedIds.contains(line.entry().id())) {
                found.fixes.add(context.candidate(
                        line, Match.MatchType.EXACT, SAME_HASH, "it has the same context hash", family.sessions()));
            }
        }
        return found.fixes;
    }

    private void addLinked(String failureId) throws IOException {
        for (LogSnapshot log : context.snapshot().logs()) {
            if (log.index().lines().has(IndexedField.ANSWERED)) {
                for (String name : log.index().origin().names(failureId)) {
                    addLinked(
                            log, log.index().lines().postings(IndexedField.ANSWERED, name), "it answers " + failureId);
                }
            }
        }
    }

    private void addLinked(LogSnapshot log, Postings lines, String why) throws IOException {
        for (int i = lines.countBelow(log.count()) - 1; i >= 0; i--) {
            int ordinal = lines.at(i);
            Occurrence line = context.line(log.index(), ordinal);
            boolean shown = line.entry() instanceof Success && context.shows(log, ordinal);
            if (shown && linkedIds.add(line.entry().id())) {
                fixes.add(context.candidate(line, Match.MatchType.ANSWER, LINKED, why, 1));
            }
        }
    }
}
