package dev.xmem.core.answer.render;

import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Success;
import dev.xmem.core.base.json.StoredEntries;
import dev.xmem.spi.TokenEstimator;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The text of advice about a failed call, fenced, to be shown under the call's error: lessons, fixes that worked, attempts
 * that did not help. The text reports evidence and gives no orders. Immutable and thread-safe.
 */
public final class AdviceText {
    /** The most tokens that advice costs by default. */
    public static final int DEFAULT_TOKENS = 400;

    private static final int LESSONS = 3;
    private static final int ANSWERS = 3;
    private static final int MIN_CUT_CHARS = 24;
    private static final int ID_CHARS = 120;
    private static final int VALUE_CHARS = 300;

    private final TokenEstimator tokens;
    private final Fence fence;

    public AdviceText(TokenEstimator tokens, Fence fence) {
        this.tokens = tokens;
        this.fence = fence;
    }

    /**
     * A match and the votes on its advice.
     *
     * @param worked the number of sessions that it helped
     * @param failed the number of sessions that it did not help
     * @param stale whether no evidence has confirmed it for a long time
     */
    public record AdvisedMatch(Match match, int worked, int failed, boolean stale) {
        boolean neverHelped() {
            return worked == 0 && failed > 0;
        }

        String record() {
            String votes = worked + failed == 0 ? "unverified" : "worked " + worked + " of " + (worked + failed);
            return stale ? votes + ", old" : votes;
        }
    }

    /**
     * The occurrences of a failure.
     *
     * @param times the number of occurrences
     * @param sessions the number of sessions that are known by name
     * @param last the time of the last occurrence; null if no time is known
     */
    public record Seen(int times, int sessions, @Nullable Instant last) {
        /** Only similar failures were seen. */
        public static final Seen NEVER = new Seen(0, 0, null);
    }

    /**
     * Renders the lessons of the first failures, the successes that answer them, and the attempts that did not help.
     *
     * @param ranked failures and successes, best first
     * @param now the time from which ages are counted
     * @param tokenBudget the most tokens that the text may cost
     * @return a text that begins with a newline; empty if there is no advice
     */
    public String text(List<AdvisedMatch> ranked, Seen seen, Instant now, int tokenBudget) {
        List<String> lines = new ArrayList<>();
        List<AdvisedMatch> failures = new ArrayList<>();
        List<AdvisedMatch> answers = new ArrayList<>();
        for (AdvisedMatch advised : ranked) {
            if (advised.match().entry() instanceof Failure) {
                failures.add(advised);
            } else if (advised.match().entry() instanceof Success) {
                answers.add(advised);
            }
        }
        lessons(lines, failures, answers, seen, now);
        for (AdvisedMatch answer : answers.subList(0, Math.min(ANSWERS, answers.size()))) {
            lines.add((answer.neverHelped() ? "do not try: " : "worked: ") + worked(answer));
        }
        if (!failures.isEmpty()) {
            Failure first = (Failure) failures.get(0).match().entry();
            add(lines, "do not try, it did not help: ", String.join("; ", first.triedAlso()));
            add(lines, "notes: ", first.notes());
        }
        return lines.isEmpty() ? "" : fit(lines, tokenBudget);
    }

    private static void lessons(
            List<String> lines, List<AdvisedMatch> failures, List<AdvisedMatch> answers, Seen seen, Instant now) {
        Set<String> said = new LinkedHashSet<>();
        for (AdvisedMatch shown : failures) {
            Failure failure = (Failure) shown.match().entry();
            String also = "also, " + age(failure.ts(), now);
            for (String lesson : lessons(failure)) {
                if (said.add(lesson) && said.size() <= LESSONS) {
                    String intro = lines.isEmpty() ? intro(shown, seen, now) : also;
                    lines.add(intro + ": " + (shown.neverHelped() ? "do not try: " : "") + lesson + " ("
                            + shown.record() + "; entry " + PromptEscaping.line(failure.id(), ID_CHARS) + ")");
                }
                also = "also, earlier";
            }
        }
        if (lines.isEmpty() && !failures.isEmpty()) {
            Failure first = (Failure) failures.get(0).match().entry();
            String error = answers.isEmpty() ? ", it said: " + PromptEscaping.line(first.error(), VALUE_CHARS) : "";
            lines.add(intro(failures.get(0), seen, now) + ": no lesson noted" + error + " (entry "
                    + PromptEscaping.line(first.id(), ID_CHARS) + ")");
        }
    }

    /** As many lines as fit the budget; the first that does not fit is cut. */
    private String fit(List<String> lines, int tokenBudget) {
        String body = "";
        for (String line : lines) {
            String longer = body.isEmpty() ? line : body + "\n" + line;
            if (tokens.estimate(fence.around(longer)) > tokenBudget) {
                String cut = TextSanitizer.cut(
                        longer, body.length(), text -> tokens.estimate(fence.around(text)) <= tokenBudget);
                body = cut.length() > body.length() + MIN_CUT_CHARS ? cut : body;
                break;
            }
            body = longer;
        }
        String text = body.isEmpty() ? "" : fence.around(body);
        return tokens.estimate(text) <= tokenBudget ? text : "";
    }

    private static String intro(AdvisedMatch first, Seen seen, Instant now) {
        if (first.match().matchType() != Match.MatchType.EXACT) {
            return "a similar failure, " + age(first.match().entry().ts(), now);
        }
        String sessions = seen.sessions() > 1 ? " in " + seen.sessions() + " sessions" : "";
        Instant last = seen.last();
        return "seen " + Math.max(1, seen.times()) + "×" + sessions + ", last "
                + age(last == null ? Instant.EPOCH : last, now);
    }

    private static String age(Instant then, Instant now) {
        return then.equals(Instant.EPOCH) ? "at an unknown time" : RelativeTime.of(then, now);
    }

    /** The failure's own lesson, then those of the lines that a compaction merged into it. */
    private static List<String> lessons(Failure failure) {
        List<String> written = new ArrayList<>();
        written.add(failure.patternAvoid() == null ? "" : failure.patternAvoid());
        written.addAll(StoredEntries.texts(failure, "further_advice"));
        List<String> lessons = new ArrayList<>();
        for (String lesson : written) {
            String line = PromptEscaping.line(lesson, VALUE_CHARS);
            if (!line.isEmpty()) {
                lessons.add(line);
            }
        }
        return lessons;
    }

    private static String worked(AdvisedMatch answer) {
        Success success = (Success) answer.match().entry();
        String steps = PromptEscaping.line(String.join("; ", success.keySteps()), VALUE_CHARS);
        String name = PromptEscaping.line(success.patternName(), VALUE_CHARS);
        return name + (steps.isEmpty() ? "" : ": " + steps) + " (" + answer.record() + ", confidence "
                + EntryCard.confidence(success) + "; entry " + PromptEscaping.line(success.id(), ID_CHARS) + ")";
    }

    private static void add(List<String> lines, String label, @Nullable String value) {
        String text = value == null ? "" : PromptEscaping.line(value, VALUE_CHARS);
        if (!text.isEmpty()) {
            lines.add(label + text);
        }
    }
}
