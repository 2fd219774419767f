package dev.xmem.core.agent.guard;

import dev.xmem.Advice;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Success;
import dev.xmem.core.answer.render.Plural;
import dev.xmem.core.base.trace.Log;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What is said before a call, ready in memory: made in the background from the newest {@value #LINES} failures, looked up by
 * the call's operation without touching a file.
 *
 * <p>A warning needs evidence. Its failure was seen in two sessions or more; it is what most failures of such calls were;
 * the call has the form of those that failed; something is known that helps, or the failure is marked critical; and no
 * call that was warned of has since worked as it was. Critical is what is marked so <em>and</em> has that evidence.
 * Thread-safe.
 */
final class WarningCache {
    static final int LINES = 4096;
    private static final int MOST_FAMILIES = 1024;
    private static final double SHARE = 0.6;
    private static final Duration SOON = Duration.ofMillis(20);
    private static final long FRESH_NANOS = Duration.ofSeconds(2).toNanos();
    private static final long RENDERED_NANOS = Duration.ofSeconds(30).toNanos();

    private final GuardStore memory;
    private final ReentrantLock refreshing = new ReentrantLock();
    private final Map<String, FailureGroup> families = new LinkedHashMap<>(16, 0.75f, true);
    private final Runnable task = this::refreshQuietly;
    private int lines;
    private long rendered;
    private volatile long looked = System.nanoTime();
    private volatile Map<String, List<Warning>> byOperation = Map.of();

    /**
     * A warning that is ready.
     *
     * @param shapes the forms of the calls that it is for
     */
    record Warning(String family, Set<String> shapes, Advice advice, List<Suggestion> suggested) {}

    WarningCache(GuardStore memory) {
        this.memory = memory;
    }

    /** Whether there is any warning at all. */
    boolean isEmpty() {
        return byOperation.isEmpty();
    }

    /** The warning for a call; null if there is none. */
    @Nullable Warning of(SessionCall call) {
        List<Warning> known = byOperation.get(call.operation());
        if (known != null) {
            String shape = FailureGroup.shape(call.tool(), call.action());
            for (Warning warning : known) {
                if (warning.shapes().contains(shape)) {
                    return warning;
                }
            }
        }
        return null;
    }

    /** Looks at the log soon, if it was not looked at just now. */
    void refreshIfOld() {
        if (System.nanoTime() - looked > FRESH_NANOS) {
            looked = System.nanoTime();
            refreshSoon();
        }
    }

    void refreshSoon() {
        memory.runLater(task, SOON);
    }

    /** A call that was warned of worked as it was: the warning is silent until the failure comes again. */
    void refuted(String family) {
        refreshing.lock();
        try {
            families.values().stream()
                    .filter(known -> known.hash.equals(family))
                    .forEach(FailureGroup::refute);
            Map<String, List<Warning>> left = new HashMap<>();
            byOperation.forEach((operation, warnings) -> left.put(
                    operation,
                    warnings.stream()
                            .filter(warning -> !warning.family().equals(family))
                            .toList()));
            left.values().removeIf(List::isEmpty);
            byOperation = Map.copyOf(left);
        } finally {
            refreshing.unlock();
        }
    }

    /** Reads the failures that are new, and makes the warnings that they speak for; as long as it fails, the old ones stay. */
    void refreshQuietly() {
        try {
            if (memory.isOpen()) {
                refresh();
            }
        } catch (IOException | RuntimeException | StackOverflowError | LinkageError e) {
            Log.debug("the warnings of a guard are old: " + e.getClass().getName(), null);
        }
    }

    private void refresh() throws IOException {
        refreshing.lock();
        try {
            looked = System.nanoTime();
            int now = memory.failures(lines, LINES, this::add);
            if (now < lines) {
                families.clear();
                now = memory.failures(0, LINES, this::add);
            }
            if (now != lines || !byOperation.isEmpty() && looked - rendered > RENDERED_NANOS) {
                byOperation = made();
                rendered = looked;
            }
            lines = now;
        } finally {
            refreshing.unlock();
        }
    }

    private void add(Failure failure) {
        String action = memory.clean(failure.tool(), failure.action());
        String operation = memory.operation(failure.tool(), action);
        families.computeIfAbsent(operation + '\n' + failure.ctxHash(), key -> new FailureGroup(operation, failure))
                .add(failure, FailureGroup.shape(failure.tool(), action));
        if (families.size() > MOST_FAMILIES) {
            Iterator<FailureGroup> eldest = families.values().iterator();
            eldest.next();
            eldest.remove();
        }
    }

    private Map<String, List<Warning>> made() throws IOException {
        Map<String, Integer> all = new HashMap<>();
        families.values().forEach(family -> all.merge(family.operation, family.evidence(), Integer::sum));
        Map<String, List<Warning>> warnings = new HashMap<>();
        for (FailureGroup family : families.values()) {
            boolean most = family.evidence() >= SHARE * all.getOrDefault(family.operation, 0);
            Warning warning = family.evidence() >= WarningThreshold.REPEATED && most ? made(family) : null;
            if (warning != null) {
                warnings.computeIfAbsent(family.operation, key -> new ArrayList<>())
                        .add(warning);
            }
        }
        return Map.copyOf(warnings);
    }

    private @Nullable Warning made(FailureGroup family) throws IOException {
        Failure newest = family.newest();
        Advice known =
                memory.recall(newest.tool(), newest.action(), family.error()).advice();
        boolean helps = known.matches().stream()
                .map(Match::entry)
                .anyMatch(entry ->
                        entry instanceof Success || entry instanceof Failure failure && failure.patternAvoid() != null);
        if (known.status() != Advice.Status.FOUND || known.isEmpty() || !helps && !family.isCritical()) {
            return null;
        }
        String reason = "such calls failed in " + Plural.of(family.evidence(), "session") + " as " + family.hash;
        Failure.BlockLevel level = family.isCritical() ? known.level() : Failure.BlockLevel.WARNING;
        GuardAdvice advice = new GuardAdvice(
                Advice.Status.FOUND, known.matches(), level, known.text(), known.tokens(), reason, null);
        return new Warning(family.hash, family.shapes(), advice, Suggestion.of(known));
    }
}
