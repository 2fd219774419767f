package dev.xmem.core.agent.guard;

import dev.xmem.ToolError;
import dev.xmem.core.base.io.IoAction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The recent calls of one session: those from the first failure within the last {@value RetryPair#REACH} calls on.
 * Guarded by the lock of {@link Sessions}.
 */
final class Session {
    private static final int MAX_CALLS = RetryPair.REACH + 1;
    private static final int MAX_FAMILIES = 64;
    private static final int MAX_WARNINGS = 8;

    private final ArrayDeque<SessionCall> calls = new ArrayDeque<>();
    private final Map<String, Recorded> recorded = new LinkedHashMap<>();
    private final ArrayDeque<Warned> warnings = new ArrayDeque<>();

    @Nullable HeldFailure held;

    @Nullable LastFailure lastFailure;

    private long lastNumber;
    private long openUntil;

    /** A failure that this session recorded, and the holder of its id. */
    private record Recorded(long millis, AtomicReference<@Nullable String> written) {}

    /** A call that got a warning before it ran. */
    record Warned(SessionCall call, String family, List<Suggestion> suggested) {}

    /** The last failure of the session, recalled again when the user complains. */
    record LastFailure(String tool, String action, ToolError error) {}

    /** A failure that is not recorded yet, because the next call may show that it was a typo. */
    record HeldFailure(String tool, IoAction write) {}

    /** Assigns the number of the next call. */
    long nextNumber() {
        return ++lastNumber;
    }

    /** Whether the last numbered call may matter: for a failure within reach, a held failure or a warning. */
    boolean isOpen() {
        return held != null || lastNumber <= openUntil || !warnings.isEmpty();
    }

    /** Assigns the number of a failure that is added later. */
    long reserve() {
        openUntil = nextNumber() + RetryPair.REACH;
        return lastNumber;
    }

    /** Adds a call, before those with higher numbers. */
    void add(SessionCall call) {
        ArrayDeque<SessionCall> later = new ArrayDeque<>();
        while (!calls.isEmpty() && calls.getLast().number() > call.number()) {
            later.addFirst(calls.removeLast());
        }
        calls.addLast(call);
        calls.addAll(later);
        openUntil = call.failure() == null ? openUntil : Math.max(openUntil, call.number() + RetryPair.REACH);
        if (calls.size() > MAX_CALLS) {
            calls.removeFirst();
        }
        trim();
    }

    /** Removes the calls before the first failure. */
    private void trim() {
        while (calls.peekFirst() != null && calls.peekFirst().failure() == null) {
            calls.removeFirst();
        }
    }

    /** The failures that a call can answer: those before it of an operation that it runs; newest first. */
    List<SessionCall> failuresLike(SessionCall call) {
        List<SessionCall> like = new ArrayList<>();
        for (Iterator<SessionCall> back = calls.descendingIterator(); back.hasNext(); ) {
            SessionCall before = back.next();
            if (before.failure() != null && before.number() < call.number() && before.isLike(call)) {
                like.add(before);
            }
        }
        return like;
    }

    /** The calls after one call and before another. */
    List<SessionCall> between(SessionCall first, SessionCall last) {
        return calls.stream()
                .filter(call -> call.number() > first.number() && call.number() < last.number())
                .toList();
    }

    /** Removes failures that a success has answered. */
    void answered(List<SessionCall> failures) {
        calls.removeAll(failures);
        trim();
    }

    /** The holder of the id under which this session recorded a failure since a time; null if it did not. */
    @Nullable AtomicReference<@Nullable String> recorded(String family, long sinceMillis) {
        Recorded before = recorded.get(family);
        return before == null || before.millis() < sinceMillis ? null : before.written();
    }

    void record(String family, long millis, AtomicReference<@Nullable String> written) {
        recorded.remove(family);
        recorded.put(family, new Recorded(millis, written));
        if (recorded.size() > MAX_FAMILIES) {
            recorded.remove(recorded.keySet().iterator().next());
        }
    }

    void warned(Warned warning) {
        warnings.removeIf(before -> before.call().isSame(warning.call()));
        warnings.addLast(warning);
        if (warnings.size() > MAX_WARNINGS) {
            warnings.removeFirst();
        }
    }

    /** Removes and returns the warnings for calls of the same operation. */
    List<Warned> takeWarningsLike(SessionCall call) {
        List<Warned> like =
                warnings.stream().filter(warning -> warning.call().isLike(call)).toList();
        warnings.removeAll(like);
        return like;
    }

    @Nullable HeldFailure takeHeld() {
        HeldFailure before = held;
        held = null;
        return before;
    }
}
