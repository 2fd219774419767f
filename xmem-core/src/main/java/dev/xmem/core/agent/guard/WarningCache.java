package dev.xmem.core.agent.guard;

import dev.xmem.Advice;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Success;
import dev.xmem.core.answer.render.Plural;
import dev.xmem.core.base.trace.Log;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The warnings that a guard gives before a call, ready in memory: computed in the background from the newest {@value
 * #MAX_LINES} failures, and looked up by the call's operation without touching a file. Until they are loaded,
 * {@link #read} answers from the newest {@value #MAX_LINES_READ} failures of the call's operation and of its tool.
 *
 * <p>A warning needs evidence:
 *
 * <ul>
 *   <li>at least two sessions recorded the failure;
 *   <li>it is at least 60 % of the evidence for failures of the operation;
 *   <li>the call has the shape of a call that failed;
 *   <li>an entry is known that helps, or the failure is marked critical;
 *   <li>no call that got the warning has succeeded unchanged since the failure was last recorded.
 * </ul>
 *
 * A warning is critical if its failure is marked critical and has this evidence. Thread-safe.
 */
final class WarningCache {
    private static final int MAX_LINES = 4096;
    private static final int MAX_LINES_READ = 64;
    private static final int MAX_GROUPS = 1024;
    private static final double MIN_SHARE = 0.6;
    private static final Duration REFRESH_DELAY = Duration.ofMillis(20);
    private static final long STALE_NANOS = Duration.ofSeconds(2).toNanos();
    private static final long MAX_AGE_NANOS = Duration.ofSeconds(30).toNanos();

    private final GuardStore store;
    private final ReentrantLock refreshLock = new ReentrantLock();
    private final Map<String, FailureGroup> groups = new LinkedHashMap<>(16, 0.75f, true);
    private final Runnable task = this::refreshQuietly;
    private int lines;
    private long computed;
    private volatile long refreshed = System.nanoTime();
    private volatile Map<String, List<Warning>> byOperation = Map.of();
    private volatile boolean loaded;

    /**
     * A prepared warning.
     *
     * @param shapes the shapes of the calls that it applies to
     */
    record Warning(String family, Set<String> shapes, Advice advice, List<Suggestion> suggested) {}

    WarningCache(GuardStore store) {
        this.store = store;
    }

    /** Whether the warnings are in memory. */
    boolean isLoaded() {
        return loaded;
    }

    boolean isEmpty() {
        return byOperation.isEmpty();
    }

    /** The warning for a call; null if there is none. */
    @Nullable Warning get(SessionCall call) {
        return matching(byOperation.get(call.operation()), call);
    }

    /** The warning for a call, read from the index; null if there is none. */
    @Nullable Warning read(SessionCall call) {
        Map<String, FailureGroup> ofCall = new LinkedHashMap<>();
        try {
            store.failuresOf(call.tool(), call.operation(), MAX_LINES_READ, failure -> {
                String action = store.redact(failure.tool(), failure.action());
                if (store.operation(failure.tool(), action).equals(call.operation())) {
                    add(ofCall, failure, call.operation(), action);
                }
            });
            return matching(warnings(ofCall.values()).get(call.operation()), call);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static @Nullable Warning matching(@Nullable List<Warning> candidates, SessionCall call) {
        if (candidates != null) {
            String shape = FailureGroup.shape(call.tool(), call.action());
            for (Warning warning : candidates) {
                if (warning.shapes().contains(shape)) {
                    return warning;
                }
            }
        }
        return null;
    }

    /** Schedules a refresh if the last one is more than two seconds old. */
    void refreshIfStale() {
        if (loaded && System.nanoTime() - refreshed > STALE_NANOS) {
            refreshed = System.nanoTime();
            refreshSoon();
        }
    }

    void refreshSoon() {
        if (loaded) {
            refreshIn(REFRESH_DELAY);
        }
    }

    void refreshIn(Duration delay) {
        store.runLater(task, delay);
    }

    /** Removes a warning that a call got and succeeded unchanged. It returns when the failure is recorded again. */
    void refute(String family) {
        if (!loaded) {
            refreshQuietly();
        }
        refreshLock.lock();
        try {
            groups.values().stream().filter(group -> group.hash.equals(family)).forEach(group -> group.refuted = true);
            Map<String, List<Warning>> remaining = new HashMap<>(byOperation);
            remaining.replaceAll((operation, warnings) -> warnings.stream()
                    .filter(warning -> !warning.family().equals(family))
                    .toList());
            remaining.values().removeIf(List::isEmpty);
            byOperation = Map.copyOf(remaining);
        } finally {
            refreshLock.unlock();
        }
    }

    /** Reads the new failures and recomputes the warnings; after any error the old warnings stay in effect. */
    @SuppressWarnings("CatchingUnchecked")
    void refreshQuietly() {
        try {
            if (store.isOpen()) {
                refresh();
            }
        } catch (Throwable e) {
            Log.debug(
                    "the warnings of a guard could not be refreshed: "
                            + e.getClass().getName(),
                    null);
        }
    }

    private void refresh() throws IOException {
        refreshLock.lock();
        try {
            refreshed = System.nanoTime();
            int now = store.failures(lines, MAX_LINES, this::add);
            if (now < lines) {
                groups.clear();
                now = store.failures(0, MAX_LINES, this::add);
            }
            if (now != lines || !byOperation.isEmpty() && refreshed - computed > MAX_AGE_NANOS) {
                byOperation = warnings(groups.values());
                computed = refreshed;
            }
            lines = now;
            loaded = true;
        } finally {
            refreshLock.unlock();
        }
    }

    private void add(Failure failure) {
        String action = store.redact(failure.tool(), failure.action());
        add(groups, failure, store.operation(failure.tool(), action), action);
        if (groups.size() > MAX_GROUPS) {
            groups.remove(groups.keySet().iterator().next());
        }
    }

    private static void add(Map<String, FailureGroup> groups, Failure failure, String operation, String action) {
        groups.computeIfAbsent(operation + '\n' + failure.ctxHash(), key -> new FailureGroup(operation, failure))
                .add(failure, FailureGroup.shape(failure.tool(), action));
    }

    private Map<String, List<Warning>> warnings(Collection<FailureGroup> groups) throws IOException {
        Map<String, Integer> total = new HashMap<>();
        groups.forEach(group -> total.merge(group.operation, group.evidence(), Integer::sum));
        Map<String, List<Warning>> warnings = new HashMap<>();
        for (FailureGroup group : groups) {
            boolean prevalent = group.evidence() >= MIN_SHARE * total.getOrDefault(group.operation, 0);
            Warning warning = prevalent && group.evidence() >= FailureGroup.REPEATED ? warning(group) : null;
            if (warning != null) {
                warnings.computeIfAbsent(group.operation, key -> new ArrayList<>())
                        .add(warning);
            }
        }
        return Map.copyOf(warnings);
    }

    /** The warning for a group; null if no entry helps and the failure is not critical. */
    private @Nullable Warning warning(FailureGroup group) throws IOException {
        Failure newest = group.newest;
        Advice advice = store.recall(newest.tool(), newest.action(), FailureGroup.error(group.newest))
                .advice();
        boolean helps = advice.matches().stream().map(Match::entry).anyMatch(WarningCache::helps);
        if (advice.status() != Advice.Status.FOUND || advice.isEmpty() || !helps && !group.critical) {
            return null;
        }
        String reason = "such calls failed in " + Plural.of(group.evidence(), "session") + " as " + group.hash;
        Failure.BlockLevel level = group.critical ? advice.level() : Failure.BlockLevel.WARNING;
        GuardAdvice warning = new GuardAdvice(
                Advice.Status.FOUND, advice.matches(), level, advice.text(), advice.tokens(), reason, null, 0);
        return new Warning(group.hash, Set.copyOf(group.shapes), warning, Suggestion.of(advice));
    }

    private static boolean helps(Entry entry) {
        return entry instanceof Success || entry instanceof Failure failure && failure.patternAvoid() != null;
    }
}
