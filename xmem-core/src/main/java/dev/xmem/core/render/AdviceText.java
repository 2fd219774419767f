package dev.xmem.core.render;

import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Success;
import dev.xmem.spi.TokenEstimator;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known about a call that went wrong, as evidence to put under its error: what was learned, what worked, what
 * did not help. It reports; it orders nobody to do anything. Immutable and thread-safe.
 */
public final class AdviceText {
    /** What a piece of advice may cost unless somebody says otherwise. */
    public static final int DEFAULT_TOKENS = 400;

    private static final int LESSONS = 3;
    private static final int ANSWERS = 3;
    private static final int MIN_CUT_CHARS = 24;
    private static final int ID_CHARS = 120;
    private static final int VALUE_CHARS = 300;

    private final TokenEstimator tokens;

    /** Advice whose cost this estimator measures. */
    public AdviceText(TokenEstimator tokens) {
        this.tokens = tokens;
    }

    /**
     * The advice in these matches: the first failures' lessons, then the successes that answer them.
     *
     * @param ranked failures and successes, best first
     * @param seen how often this failure was seen
     * @param now the time from which ages are counted
     * @param tokenBudget the most that the text may cost
     * @return text that begins with a newline, or an empty one
     */
    public String text(List<Match> ranked, int seen, Instant now, int tokenBudget) {
        List<String> lines = new ArrayList<>();
        List<Match> failures =
                ranked.stream().filter(m -> m.entry() instanceof Failure).toList();
        for (Match match : failures.subList(0, Math.min(LESSONS, failures.size()))) {
            String intro = lines.isEmpty() ? intro(failures, seen, now) : "also, " + age((Failure) match.entry(), now);
            lines.add(intro + ": " + lesson((Failure) match.entry()));
        }
        ranked.stream()
                .filter(m -> m.entry() instanceof Success)
                .limit(ANSWERS)
                .forEach(m -> lines.add(worked((Success) m.entry())));
        if (!failures.isEmpty()) {
            Failure first = (Failure) failures.get(0).entry();
            add(lines, "tried also, did not help: ", String.join("; ", first.triedAlso()));
            add(lines, "notes: ", first.notes());
        }
        String text = lines.isEmpty() ? "" : fit(lines, tokenBudget);
        return text.length() < MIN_CUT_CHARS ? "" : text;
    }

    /** As many lines as the budget pays for; the first that is too dear is cut. */
    private String fit(List<String> lines, int tokenBudget) {
        String text = "\n[xmem] " + lines.get(0);
        for (String line : lines.subList(1, lines.size())) {
            String longer = text + "\n" + line;
            if (tokens.estimate(longer) > tokenBudget) {
                String cut = Cheapened.to(tokenBudget, longer, tokens);
                return cut.length() > text.length() + MIN_CUT_CHARS ? cut : Cheapened.to(tokenBudget, text, tokens);
            }
            text = longer;
        }
        return Cheapened.to(tokenBudget, text, tokens);
    }

    private static String intro(List<Match> failures, int seen, Instant now) {
        Failure newest = failures.stream()
                .filter(m -> m.likeness() == Match.Likeness.EXACT)
                .map(m -> (Failure) m.entry())
                .max(Comparator.comparing(Failure::ts))
                .orElse(null);
        return newest == null
                ? "a similar failure, " + age((Failure) failures.get(0).entry(), now)
                : "seen " + Math.max(1, seen) + "×, last " + age(newest, now);
    }

    private static String age(Failure failure, Instant now) {
        return failure.ts().equals(Instant.EPOCH) ? "at an unknown time" : Age.of(failure.ts(), now);
    }

    private static String lesson(Failure failure) {
        String avoid = failure.patternAvoid() == null ? "" : SafeText.line(failure.patternAvoid(), VALUE_CHARS);
        String said =
                avoid.isEmpty() ? "no lesson noted, it said: " + SafeText.line(failure.error(), VALUE_CHARS) : avoid;
        return said + " (entry " + SafeText.line(failure.id(), ID_CHARS) + ")";
    }

    private static String worked(Success success) {
        String steps = SafeText.line(String.join("; ", success.keySteps()), VALUE_CHARS);
        String name = SafeText.line(success.patternName(), VALUE_CHARS);
        return "worked: " + name + (steps.isEmpty() ? "" : ": " + steps) + " (entry "
                + SafeText.line(success.id(), ID_CHARS) + ", confidence " + Reliability.confidence(success) + ")";
    }

    private static void add(List<String> lines, String label, @Nullable String value) {
        String text = value == null ? "" : SafeText.line(value, VALUE_CHARS);
        if (!text.isEmpty()) {
            lines.add(label + text);
        }
    }
}
