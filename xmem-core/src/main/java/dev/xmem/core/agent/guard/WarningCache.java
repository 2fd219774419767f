package dev.xmem.core.agent.guard;

import dev.xmem.Advice;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Success;
import dev.xmem.core.answer.render.Plural;
import dev.xmem.core.base.trace.Log;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The warnings that a guard gives before a call: looked up for the call's operation through the index, by the newest
 * {@value #MAX_LINES} failures of each way to find them, see {@link GuardStore#failuresOf}. The warnings of an
 * operation are kept until a failure is recorded, and at most 30 seconds.
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
 * Decision: docs/adr/0041-warnings-by-operation.md.
 */
final class WarningCache {
    static final int MAX_LINES = 128;
    private static final int MAX_KEPT = 1024;
    private static final double MIN_SHARE = 0.6;
    private static final long STALE_NANOS = Duration.ofSeconds(2).toNanos();
    private static final long MAX_AGE_NANOS = Duration.ofSeconds(30).toNanos();

    private final GuardStore store;
    private final Runnable refresh = this::refresh;
    private final Map<String, Kept> kept = new ConcurrentHashMap<>();
    /** The families whose warning was wrong, and the failures that were recorded then. */
    private final Map<String, GuardStore.Version> refuted = new LinkedHashMap<>();

    private final ReentrantLock changing = new ReentrantLock();
    private volatile int changes;
    private volatile long refreshed = System.nanoTime();

    /**
     * A prepared warning.
     *
     * @param shapes the shapes of the calls that it applies to
     */
    record Warning(String family, Set<String> shapes, Advice advice, List<Suggestion> suggested) {}

    private record Kept(GuardStore.Version version, long nanos, List<Warning> warnings) {}

    WarningCache(GuardStore store) {
        this.store = store;
    }

    /** Whether no failure is in the index. */
    boolean isEmpty() {
        return store.version().lines() == 0;
    }

    /** The warnings for an operation; null if they have to be read. Touches no file. */
    @Nullable List<Warning> get(String operation) {
        Kept known = kept.get(operation);
        if (known == null || System.nanoTime() - known.nanos > MAX_AGE_NANOS) {
            return null;
        }
        return known.version.equals(store.version()) ? known.warnings : null;
    }

    /** The warnings that were last read for an operation; null if none were. */
    @Nullable List<Warning> getStale(String operation) {
        Kept known = kept.get(operation);
        return known == null ? null : known.warnings;
    }

    /** Reads the warnings for the operation of a call. */
    List<Warning> read(SessionCall call) throws IOException {
        int before = changes;
        Map<String, FailureGroup> groups = new LinkedHashMap<>();
        GuardStore.Version version = store.failuresOf(call.tool(), call.action(), MAX_LINES, (line, failure) -> {
            String action = store.redact(failure.tool(), failure.action());
            if (store.operation(failure.tool(), action).equals(call.operation())) {
                groups.computeIfAbsent(failure.ctxHash(), hash -> new FailureGroup(failure))
                        .add(line, failure, FailureGroup.shape(failure.tool(), action));
            }
        });
        groups.values().removeIf(group -> isRefuted(group, version));
        List<Warning> warnings = warnings(groups.values());
        keep(call.operation(), new Kept(version, System.nanoTime(), warnings), before);
        return warnings;
    }

    /** Keeps what was read, unless a warning was refuted meanwhile. */
    private void keep(String operation, Kept read, int before) {
        changing.lock();
        try {
            if (changes == before) {
                if (kept.size() >= MAX_KEPT) {
                    kept.clear();
                }
                kept.put(operation, read);
            }
        } finally {
            changing.unlock();
        }
    }

    /** The first of some warnings that applies to a call of this shape; null if there is none. */
    static @Nullable Warning matching(List<Warning> warnings, SessionCall call) {
        if (!warnings.isEmpty()) {
            String shape = FailureGroup.shape(call.tool(), call.action());
            for (Warning warning : warnings) {
                if (warning.shapes().contains(shape)) {
                    return warning;
                }
            }
        }
        return null;
    }

    /** Looks for failures that other processes recorded, in the background, if the last look was two seconds ago. */
    void refreshIfStale() {
        if (System.nanoTime() - refreshed > STALE_NANOS) {
            refreshed = System.nanoTime();
            store.runLater(refresh, Duration.ZERO);
        }
    }

    private void refresh() {
        try {
            if (store.isOpen()) {
                store.refresh();
            }
        } catch (IOException | RuntimeException e) {
            Log.debug("a guard could not look for new failures", e);
        }
    }

    /** Removes a warning that a call got and succeeded unchanged. It returns when the failure is recorded again. */
    void refute(String family) {
        changing.lock();
        try {
            refuted.remove(family);
            refuted.put(family, store.version());
            if (refuted.size() > MAX_KEPT) {
                refuted.remove(refuted.keySet().iterator().next());
            }
            clear();
        } finally {
            changing.unlock();
        }
    }

    private boolean isRefuted(FailureGroup group, GuardStore.Version version) {
        changing.lock();
        try {
            GuardStore.Version since = refuted.get(group.hash);
            return since != null && since.log().equals(version.log()) && !group.isSince(since.lines());
        } finally {
            changing.unlock();
        }
    }

    /** Forgets what was read. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    void clear() {
        changing.lock();
        try {
            changes++;
            kept.clear();
        } finally {
            changing.unlock();
        }
    }

    private List<Warning> warnings(Collection<FailureGroup> groups) throws IOException {
        int total = groups.stream().mapToInt(FailureGroup::evidence).sum();
        List<Warning> warnings = new ArrayList<>();
        for (FailureGroup group : groups) {
            boolean prevalent = group.evidence() >= MIN_SHARE * total;
            Warning warning = prevalent && group.evidence() >= FailureGroup.REPEATED ? warning(group) : null;
            if (warning != null) {
                warnings.add(warning);
            }
        }
        return List.copyOf(warnings);
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
