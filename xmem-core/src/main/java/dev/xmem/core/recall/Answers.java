package dev.xmem.core.recall;

import dev.xmem.Entry;
import dev.xmem.Match;
import dev.xmem.Success;
import dev.xmem.core.index.LogView;
import dev.xmem.core.index.Postings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The successes that answer failures. */
final class Answers {
    private static final double LINKED = 0.8;
    private static final double SAME_FAMILY = 0.6;

    private final Reading reading;

    Answers(Reading reading) {
        this.reading = reading;
    }

    List<Found> to(List<Found> failures, Family family) throws IOException {
        List<Found> answers = new ArrayList<>();
        List<String> known = new ArrayList<>();
        for (Found failure : failures) {
            linked(failure.entry().id(), answers, known);
        }
        for (Family.Line line : family.successes()) {
            if (!known.contains(line.entry().id())) {
                answers.add(reading.found(
                        line, Match.Likeness.EXACT, SAME_FAMILY, "it has the same context hash", family.sessions()));
            }
        }
        return answers;
    }

    private void linked(String failureId, List<Found> answers, List<String> known) throws IOException {
        for (LogView log : reading.snapshot().logs()) {
            Postings lines = log.index().answering(failureId);
            for (int i = lines.countBelow(log.count()) - 1; i >= 0; i--) {
                int ordinal = lines.at(i);
                Entry entry = reading.entry(log.index(), ordinal);
                boolean shown = entry instanceof Success && reading.shows(log, ordinal);
                if (shown && !known.contains(entry.id())) {
                    known.add(entry.id());
                    Family.Line line = new Family.Line(entry, reading.millis(log.index(), ordinal));
                    answers.add(reading.found(line, Match.Likeness.ANSWER, LINKED, "it answers " + failureId, 1));
                }
            }
        }
    }
}
