package dev.xmem.core.agent.guard;

import dev.xmem.Advice;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Success;
import java.util.ArrayList;
import java.util.List;

/**
 * What an entry told an agent to do.
 *
 * @param id the entry
 * @param text the part of it that can be followed, at most {@value #MOST_CHARS} characters
 */
record Suggestion(String id, String text) {
    private static final int MOST = 6;
    private static final int MOST_CHARS = 1024;

    /** What can be followed of an advice that was shown. */
    static List<Suggestion> of(Advice advice) {
        List<Suggestion> all = new ArrayList<>();
        if (advice.isEmpty()) {
            return all;
        }
        for (Match match : advice.matches()) {
            String text = text(match.entry());
            if (!text.isBlank() && all.size() < MOST) {
                all.add(new Suggestion(match.entry().id(), CallTruncation.head(text, MOST_CHARS)));
            }
        }
        return all;
    }

    private static String text(Entry entry) {
        if (entry instanceof Failure failure) {
            String avoid = failure.patternAvoid();
            return avoid == null ? "" : avoid;
        }
        return entry instanceof Success success
                ? success.patternName() + '\n' + String.join("\n", success.keySteps())
                : "";
    }
}
