package dev.xmem.core.agent.guard;

import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.core.agent.event.EventFile;
import dev.xmem.core.base.io.IoAction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
    private static final int MAX_TRIED = 3;
    private static final int MAX_LAST = 3;
    private static final int MAX_KEYS = 256;

    private final ArrayDeque<SessionCall> calls = new ArrayDeque<>();
    private final Map<String, Recorded> recorded = new LinkedHashMap<>();
    private final ArrayDeque<Warned> warnings = new ArrayDeque<>();
    private final Map<List<String>, Integer> repeats = new LinkedHashMap<>(16, 0.75f, true);
    private final ArrayDeque<LastFailure> lastFailures = new ArrayDeque<>();
    /** The keys of the calls that were counted, the oldest first. */
    private final Set<String> callKeys = new LinkedHashSet<>();

    /** The file that shares the session with other processes; null if it is private. */
    final @Nullable EventFile file;

    @Nullable HeldFailure held;

    /** Whether the calls of the session are reported to a guard; else the agent only asks about some of them. */
    boolean reported;

    /** Whether the session was told how to note a lesson. */
    boolean hinted;

    private long lastNumber;
    private long openUntil;

    /** A failure that this session recorded, and the holder of its id. */
    private record Recorded(long millis, AtomicReference<@Nullable String> written) {}

    /** A call that got a warning before it ran. */
    record Warned(SessionCall call, String family, List<Suggestion> suggested) {}

    /** One of the last failures of the session, recalled again when the user complains. */
    record LastFailure(SessionCall call, ToolError error) {}

    /** A failure that is not recorded yet, because the next call may show that it was a typo. */
    record HeldFailure(String tool, IoAction write) {}

    Session(@Nullable EventFile file) {
        this.file = file;
    }

    /** Assigns the number of the next call. */
    long nextNumber() {
        return ++lastNumber;
    }

    long lastNumber() {
        return lastNumber;
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

    /** Remembers that a process counted a call; returns whether one has before. A call without a key never was. */
    boolean wasCounted(String callKey) {
        boolean again = !callKey.isEmpty() && !callKeys.add(callKey);
        if (callKeys.size() > MAX_KEYS) {
            callKeys.remove(callKeys.iterator().next());
        }
        return again;
    }

    /** Whether a process counted this call: it was reported twice, or that process ended before its answer. */
    boolean isCounted(ToolCall call) {
        return !callKeys.isEmpty() && callKeys.contains(SessionFiles.callKey(call));
    }

    /** Adds a call, before those with higher numbers. */
    void add(SessionCall call) {
        countRepeats(call);
        step(call);
    }

    /** Adds a call that proves nothing, before those with higher numbers. */
    void step(SessionCall call) {
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

    private void countRepeats(SessionCall call) {
        if (call.failure() == null) {
            List<String> work = List.of(call.tool(), call.workKey());
            repeats.keySet().removeIf(key -> key.subList(0, 2).equals(work));
        } else {
            repeats.merge(repeatKey(call, call.failure()), 1, Integer::sum);
        }
        if (repeats.size() > MAX_FAMILIES) {
            repeats.remove(repeats.keySet().iterator().next());
        }
    }

    private static List<String> repeatKey(SessionCall call, SessionCall.FailureInfo failure) {
        String message = Integer.toString(failure.output().salient());
        return List.of(call.tool(), call.workKey(), failure.family(), OutputLines.lasting(failure.subject()), message);
    }

    /** Whether this call failed since it worked last. */
    boolean hasRepeats(String tool, String action) {
        List<String> prefix = List.of(tool, SessionCall.of(tool, action).workKey());
        return repeats.keySet().stream().anyMatch(key -> key.subList(0, 2).equals(prefix));
    }

    /** How often a call failed unchanged and with the same message since it worked last; 0 if it did not fail. */
    int repeats(SessionCall call) {
        return call.failure() == null ? 0 : repeats.getOrDefault(repeatKey(call, call.failure()), 0);
    }

    /**
     * Whether nothing that the session knows of can have changed the result of a call since it failed like this before:
     * each call in between is known and changed nothing, also one that failed.
     */
    boolean isUnchangedSince(SessionCall call) {
        for (Iterator<SessionCall> back = calls.descendingIterator(); back.hasNext() && reported; ) {
            SessionCall before = back.next();
            if (before.number() < call.number() && isRepeat(before, call)) {
                List<SessionCall> between = between(before, call);
                return between.size() == call.number() - before.number() - 1
                        && between.stream().allMatch(SessionCall::changesNothing);
            }
        }
        return false;
    }

    private static boolean isRepeat(SessionCall before, SessionCall call) {
        return before.failure() != null
                && call.failure() != null
                && repeatKey(before, before.failure()).equals(repeatKey(call, call.failure()));
    }

    /** The other failed attempts since the call failed first, oldest first, at most three. */
    List<SessionCall> triedSince(SessionCall call) {
        Map<String, SessionCall> tried = new LinkedHashMap<>();
        boolean since = false;
        for (SessionCall other : calls) {
            if (other.isSameWork(call)) {
                since = true;
            } else if (since && other.failure() != null && !other.isReadOnly()) {
                tried.putIfAbsent(other.workKey(), other);
            }
        }
        List<SessionCall> all = List.copyOf(tried.values());
        return all.subList(Math.max(0, all.size() - MAX_TRIED), all.size());
    }

    /** Adds a failure to the last ones, at most one of each family and operation. */
    void failedLast(SessionCall call, ToolError error) {
        String family = call.failure() == null ? "" : call.failure().family();
        lastFailures.removeIf(last -> last.call().failure() == null
                ? last.call().number() == call.number() || last.call().isSame(call)
                : last.call().failure().family().equals(family)
                        && last.call().operation().equals(call.operation()));
        lastFailures.addFirst(new LastFailure(call, error));
        if (lastFailures.size() > MAX_LAST) {
            lastFailures.removeLast();
        }
    }

    /** The last failures, newest first, at most three. */
    List<LastFailure> lastFailures() {
        return List.copyOf(lastFailures);
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
    @Nullable AtomicReference<@Nullable String> recorded(String key, long sinceMillis) {
        Recorded before = recorded.get(key);
        return before == null || before.millis() < sinceMillis ? null : before.written();
    }

    void record(String key, long millis, AtomicReference<@Nullable String> written) {
        recorded.remove(key);
        recorded.put(key, new Recorded(millis, written));
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
