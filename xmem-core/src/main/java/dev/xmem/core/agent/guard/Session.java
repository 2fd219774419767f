package dev.xmem.core.agent.guard;

import dev.xmem.ToolError;
import dev.xmem.core.base.io.IoAction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The last calls of one session, as far as they may still matter: from the first failure of the last {@value
 * RetryPair#REACH} calls on. Its lock is that of {@link Sessions}.
 */
final class Session {
    private static final int MOST_STEPS = RetryPair.REACH + 1;
    private static final int MOST_FAMILIES = 64;
    private static final int MOST_WARNED = 8;

    private final ArrayDeque<SessionCall> steps = new ArrayDeque<>();
    private final Map<String, Recorded> recorded = new LinkedHashMap<>();
    private final ArrayDeque<Warned> warned = new ArrayDeque<>();
    private @Nullable Held held;
    private @Nullable LastFailure last;
    private long calls;
    private long openUntil;

    /** When a failure was recorded, and as what. */
    private record Recorded(long millis, PendingRecord recording) {}

    /** A call that a warning was given for before it ran. */
    record Warned(SessionCall call, String family, List<Suggestion> suggested) {}

    /** What failed last, to be recalled when the user complains. */
    record LastFailure(String tool, String action, ToolError error) {}

    /** A failure that may turn out to be a typo with the next call. */
    record Held(String tool, IoAction record) {}

    /** The number of the next call. */
    long next() {
        return ++calls;
    }

    /** Whether the call with the last number can say anything about those before it. */
    boolean isOpen() {
        return held != null || calls <= openUntil || !warned.isEmpty();
    }

    void add(SessionCall step) {
        steps.addLast(step);
        openUntil = step.failure() == null ? openUntil : step.number() + RetryPair.REACH;
        while (steps.size() > MOST_STEPS
                || steps.peekFirst() != null && steps.peekFirst().failure() == null) {
            steps.removeFirst();
        }
    }

    /** The failures that a call may answer, the newest first, each with the steps after it. */
    List<SessionCall> failuresLike(SessionCall call) {
        List<SessionCall> like = new ArrayList<>();
        for (Iterator<SessionCall> back = steps.descendingIterator(); back.hasNext(); ) {
            SessionCall step = back.next();
            if (step.failure() != null && step.number() < call.number() && step.isLike(call)) {
                like.add(step);
            }
        }
        return like;
    }

    /** The steps after one and before another. */
    List<SessionCall> between(SessionCall first, SessionCall last) {
        return steps.stream()
                .filter(step -> step.number() > first.number() && step.number() < last.number())
                .toList();
    }

    /** Failures that are answered answer no more. */
    void answered(List<SessionCall> failures) {
        steps.removeAll(failures);
        while (steps.peekFirst() != null && steps.peekFirst().failure() == null) {
            steps.removeFirst();
        }
    }

    /** The recording of a failure in this session, since a time; null if it is new. */
    @Nullable PendingRecord recording(String family, long sinceMillis) {
        Recorded before = recorded.get(family);
        return before == null || before.millis() < sinceMillis ? null : before.recording();
    }

    void recorded(String family, long millis, PendingRecord recording) {
        recorded.remove(family);
        recorded.put(family, new Recorded(millis, recording));
        forgetEldest(recorded, MOST_FAMILIES);
    }

    void warned(Warned warning) {
        warned.removeIf(before -> before.call().isSame(warning.call()));
        warned.addLast(warning);
        while (warned.size() > MOST_WARNED) {
            warned.removeFirst();
        }
    }

    /** The warnings that were given for calls like this one. Forgets them. */
    List<Warned> warningsLike(SessionCall call) {
        List<Warned> like =
                warned.stream().filter(warning -> warning.call().isLike(call)).toList();
        warned.removeAll(like);
        return like;
    }

    @Nullable Held takeHeld() {
        Held before = held;
        held = null;
        return before;
    }

    void hold(Held failure) {
        held = failure;
    }

    @Nullable LastFailure lastFailure() {
        return last;
    }

    void lastFailure(LastFailure failure) {
        last = failure;
    }

    private static void forgetEldest(Map<String, ?> map, int most) {
        Iterator<?> eldest = map.values().iterator();
        while (map.size() > most) {
            eldest.next();
            eldest.remove();
        }
    }
}
