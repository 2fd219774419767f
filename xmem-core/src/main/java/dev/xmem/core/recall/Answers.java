package dev.xmem.core.recall;

import dev.xmem.Match;
import dev.xmem.Success;
import dev.xmem.core.index.LogView;
import dev.xmem.core.segment.Postings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The successes that answer failures. */
final class Answers {
    private static final double LINKED = 0.8;
    private static final double SAME_FAMILY = 0.6;

    private final Reading reading;
    /** The logs in which any line answers a failure. */
    private final List<LogView> answering;

    Answers(Reading reading) {
        this.reading = reading;
        this.answering = new ArrayList<>();
        for (LogView log : reading.snapshot().logs()) {
            if (log.index().answers()) {
                answering.add(log);
            }
        }
    }

    List<Found> to(List<Found> failures, Family family) throws IOException {
        List<Found> answers = new ArrayList<>();
        List<String> known = new ArrayList<>();
        for (Found failure : failures) {
            String id = failure.entry().id();
            linked(id, answers, known);
            for (String covered : reading.outcomes().coveredBy(reading.snapshot(), id)) {
                linked(covered, answers, known);
            }
        }
        for (Line line : family.successes()) {
            if (!known.contains(line.entry().id())) {
                answers.add(reading.found(
                        line, Match.Likeness.EXACT, SAME_FAMILY, "it has the same context hash", family.sessions()));
            }
        }
        return answers;
    }

    private void linked(String failureId, List<Found> answers, List<String> known) throws IOException {
        for (LogView log : answering) {
            for (String name : log.index().origin().names(failureId)) {
                linked(log, log.index().answering(name), "it answers " + failureId, answers, known);
            }
        }
    }

    private void linked(LogView log, Postings lines, String why, List<Found> answers, List<String> known)
            throws IOException {
        for (int i = lines.countBelow(log.count()) - 1; i >= 0; i--) {
            int ordinal = lines.at(i);
            Line line = reading.line(log.index(), ordinal);
            boolean shown = line.entry() instanceof Success && reading.shows(log, ordinal);
            if (shown && !known.contains(line.entry().id())) {
                known.add(line.entry().id());
                answers.add(reading.found(line, Match.Likeness.ANSWER, LINKED, why, 1));
            }
        }
    }
}
