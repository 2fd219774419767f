package dev.xmem.core.answer.recall;

import dev.xmem.Match;
import dev.xmem.Success;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.store.segment.IndexedField;
import dev.xmem.core.store.segment.Postings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The successes that answer failures. */
final class KnownFixes {
    private static final double LINKED = 0.8;
    private static final double SAME_FAMILY = 0.6;

    private final RecallContext reading;
    /** The logs in which any line answers a failure. */
    private final List<LogSnapshot> answering;

    KnownFixes(RecallContext reading) {
        this.reading = reading;
        this.answering = new ArrayList<>();
        for (LogSnapshot log : reading.snapshot().logs()) {
            if (log.index().lines().has(IndexedField.ANSWERED)) {
                answering.add(log);
            }
        }
    }

    List<Candidate> to(List<Candidate> failures, FailureFamily family) throws IOException {
        List<Candidate> answers = new ArrayList<>();
        List<String> known = new ArrayList<>();
        for (Candidate failure : failures) {
            String id = failure.entry().id();
            linked(id, answers, known);
            for (String covered : reading.outcomes().coveredBy(reading.snapshot(), id)) {
                linked(covered, answers, known);
            }
        }
        for (Occurrence line : family.successes()) {
            if (!known.contains(line.entry().id())) {
                answers.add(reading.found(
                        line, Match.MatchType.EXACT, SAME_FAMILY, "it has the same context hash", family.sessions()));
            }
        }
        return answers;
    }

    private void linked(String failureId, List<Candidate> answers, List<String> known) throws IOException {
        for (LogSnapshot log : answering) {
            for (String name : log.index().origin().names(failureId)) {
                linked(
                        log,
                        log.index().lines().postings(IndexedField.ANSWERED, name),
                        "it answers " + failureId,
                        answers,
                        known);
            }
        }
    }

    private void linked(LogSnapshot log, Postings lines, String why, List<Candidate> answers, List<String> known)
            throws IOException {
        for (int i = lines.countBelow(log.count()) - 1; i >= 0; i--) {
            int ordinal = lines.at(i);
            Occurrence line = reading.line(log.index(), ordinal);
            boolean shown = line.entry() instanceof Success && reading.shows(log, ordinal);
            if (shown && !known.contains(line.entry().id())) {
                known.add(line.entry().id());
                answers.add(reading.found(line, Match.MatchType.ANSWER, LINKED, why, 1));
            }
        }
    }
}
