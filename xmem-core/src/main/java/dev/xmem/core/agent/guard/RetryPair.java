package dev.xmem.core.agent.guard;

import dev.xmem.Success;
import dev.xmem.core.answer.render.TextSanitizer;
import dev.xmem.core.base.json.LineCodec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A call that failed, and the like call that worked after it: the difference between the two is the lesson. No model reads
 * them; words are compared. Immutable.
 *
 * <p>Like means: the same tool and operation, in the same session, within {@value #REACH} calls, with other arguments. A
 * call that fails and then works with the same arguments is a flaky one and no lesson, unless something that was done in
 * between names what the failure was about ({@code No module named 'yaml'}, {@code pip install pyyaml}): that was the fix.
 */
record RetryPair(
        SessionCall failed,
        SessionCall worked,
        SessionCall.Setback setback,
        List<SessionCall> between,
        CallDiff difference) {
    /** How many calls after a failure one that worked still belongs to it. */
    static final int REACH = 10;

    private static final int MOST_STEPS_BETWEEN = 3;
    private static final int MOST_STEP_CHARS = 300;
    private static final int MOST_NAME_CHARS = 100;
    private static final int SHORTEST_SUBJECT = 3;

    /** The pair that these two are; null if they are none. */
    static @Nullable RetryPair of(SessionCall failed, SessionCall worked, List<SessionCall> between, LineCodec codec) {
        SessionCall.Setback setback = failed.failure();
        long calls = worked.number() - failed.number();
        if (setback == null || !failed.isLike(worked) || calls < 1 || calls > REACH) {
            return null;
        }
        CallDiff difference = CallDiff.between(failed, worked, codec);
        List<SessionCall> helped = helped(setback, failed, between);
        boolean isLesson = difference.isEmpty() || failed.isSame(worked) ? !helped.isEmpty() : true;
        List<SessionCall> kept = difference.isEmpty() ? helped : namesSubjectFirst(setback, failed, between);
        return isLesson ? new RetryPair(failed, worked, setback, kept, difference) : null;
    }

    /** The success that it becomes; null as long as the failure has no id. */
    Success.@Nullable Draft draft(@Nullable String session) {
        String answers = setback.id();
        if (answers == null) {
            return null;
        }
        Set<String> steps = new LinkedHashSet<>();
        between.forEach(step -> steps.add(CallTruncation.head(step.line(), MOST_STEP_CHARS)));
        steps.add(CallTruncation.head(worked.line(), MOST_STEP_CHARS));
        Success.Draft draft = Success.of(worked.tool(), name())
                .action(worked.action())
                .signature(setback.pattern().isEmpty() ? setback.family() : setback.pattern())
                .keySteps(steps.toArray(String[]::new))
                .criticalParams(params())
                .tags("retry")
                .answers(answers);
        return session == null ? draft : draft.sessionId(session);
    }

    private String name() {
        String what = difference.isEmpty() ? "first " + between.get(0).line() : difference.toString();
        return TextSanitizer.cut(TextSanitizer.line(what), MOST_NAME_CHARS);
    }

    private String params() {
        List<String> members = new ArrayList<>();
        if (!difference.removed().isEmpty()) {
            members.add("\"removed\":" + texts(difference.removed()));
        }
        if (!difference.added().isEmpty()) {
            members.add("\"added\":" + texts(difference.added()));
        }
        return "{" + String.join(",", members) + "}";
    }

    private static String texts(List<String> items) {
        return items.stream().map(TextSanitizer::json).toList().toString();
    }

    /** What worked in between and names what the failure was about. */
    private static List<SessionCall> helped(
            SessionCall.Setback setback, SessionCall failed, List<SessionCall> between) {
        return candidates(failed, between).filter(step -> names(step, setback)).toList();
    }

    private static List<SessionCall> namesSubjectFirst(
            SessionCall.Setback setback, SessionCall failed, List<SessionCall> between) {
        List<SessionCall> steps = new ArrayList<>(candidates(failed, between).toList());
        if (steps.size() > MOST_STEPS_BETWEEN) {
            steps.sort(Comparator.comparing((SessionCall step) -> !names(step, setback)));
            steps = new ArrayList<>(steps.subList(0, MOST_STEPS_BETWEEN));
            steps.sort(Comparator.comparingLong(SessionCall::number));
        }
        return steps;
    }

    private static Stream<SessionCall> candidates(SessionCall failed, List<SessionCall> between) {
        return between.stream()
                .filter(step -> step.failure() == null && !step.isLike(failed) && ReadOnlyCommands.changes(step));
    }

    private static boolean names(SessionCall step, SessionCall.Setback setback) {
        String subject = setback.subject().toLowerCase(Locale.ROOT);
        return subject.length() >= SHORTEST_SUBJECT
                && step.action().toLowerCase(Locale.ROOT).contains(subject);
    }
}
