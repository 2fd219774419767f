package dev.xmem.core.agent.guard;

import dev.xmem.Advice;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Success;
import dev.xmem.core.answer.render.Plural;
import dev.xmem.core.answer.render.TextSanitizer;
import dev.xmem.core.base.trace.Log;
import dev.xmem.core.text.hash.RecallQuery;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The warnings that a guard gives before a call: looked up through the index, by the newest {@value #MAX_FAILURES}
 * failures of the call's operation, see {@link GuardStore#failuresOf}. What was found for an operation is kept until a
 * failure is recorded, and at most 30 seconds.
 *
 * <p>A warning needs evidence:
 *
 * <ul>
 *   <li>at least two sessions recorded the failure;
 *   <li>it is at least 60 % of the evidence for failures of the operation;
 *   <li>the call has the shape of a call that failed;
 *   <li>an entry is known that helps, which may not be a fix of another operation, or the failure is marked critical;
 *   <li>no call that got the warning has succeeded unchanged since the failure was last recorded.
 * </ul>
 *
 * A warning is critical if its failure is marked critical and has this evidence. Thread-safe.
 * Decision: docs/adr/0041-warnings-by-operation.md.
 */
final class WarningCache {
    private static final int MAX_FAILURES = 64;
    static final double MIN_SHARE = 0.6;
    private static final int MAX_KEPT = 1024;
    private static final int MAX_ERROR_CHARS = 100;
    private static final long STALE_NANOS = Duration.ofSeconds(2).toNanos();
    private static final long MAX_AGE_NANOS = Duration.ofSeconds(30).toNanos();

    private final GuardStore store;
    private final Runnable refresh = this::refresh;
    private final Map<String, Kept> kept = new ConcurrentHashMap<>();
    /** The operations and families whose warning was wrong, and the failures that were recorded then. */
    private final Map<String, GuardStore.Version> refuted = new LinkedHashMap<>();

    private final ReentrantLock changing = new ReentrantLock();
    private volatile int changes;
    private volatile long refreshed = System.nanoTime();

    /** A prepared warning. */
    record Warning(String family, Advice advice, List<Suggestion> suggested, List<Entry> helping) {
        /** Whether the call already has the change of every fix that the warning names. */
        boolean isDone(SessionCall call) {
            boolean done = !helping.isEmpty();
            for (Entry entry : helping) {
                done &= entry instanceof Success success && RecallQuery.isNoAdvice(success, call.tool(), call.action());
            }
            return done;
        }
    }

    /** There is no warning. */
    static final Warning NONE = new Warning(
            "",
            GuardAdvice.silent(Advice.Status.NOTHING_RELEVANT, "no warning is known for this call"),
            List.of(),
            List.of());

    /**
     * What is known of an operation.
     *
     * @param group the failures that there may be a warning of; null if there is no evidence for one
     * @param warning their warning, which is made for the first call that it applies to
     */
    private record Kept(
            GuardStore.Version version,
            long nanos,
            @Nullable FailureGroup group,
            AtomicReference<@Nullable Warning> warning) {

        /** The warning for a call; null if it is not made yet. */
        @Nullable Warning of(SessionCall call) {
            boolean applies = group != null && group.shapes.contains(FailureGroup.shape(call.tool(), call.action()));
            Warning known = applies ? warning.get() : NONE;
            return known != null && known.isDone(call) ? NONE : known;
        }
    }

    WarningCache(GuardStore store) {
        this.store = store;
    }

    /** Whether no failure is in the index. */
    boolean isEmpty() {
        return store.version().lines() == 0;
    }

    /** The warning for a call, or {@link #NONE}; null if it has to be read. Touches no file. */
    @Nullable Warning get(SessionCall call) {
        Kept known = fresh(call.operation());
        return known == null ? null : known.of(call);
    }

    /** The warning that was last read for a call, or {@link #NONE}; null if none was. Touches no file. */
    @Nullable Warning getStale(SessionCall call) {
        Kept known = kept.get(call.operation());
        return known == null ? null : known.of(call);
    }

    private @Nullable Kept fresh(String operation) {
        Kept known = kept.get(operation);
        if (known == null || System.nanoTime() - known.nanos > MAX_AGE_NANOS) {
            return null;
        }
        return known.version.equals(store.version()) ? known : null;
    }

    /** Reads the warning for a call, or {@link #NONE}. */
    Warning read(SessionCall call) throws IOException {
        Kept known = fresh(call.operation());
        if (known == null) {
            known = look(call);
        }
        Warning warning = known.of(call);
        if (warning == null) {
            known.warning.set(warning(Objects.requireNonNull(known.group), call));
            warning = Objects.requireNonNull(known.of(call));
        }
        return warning;
    }

    /** Looks up the failures of the operation of a call. */
    private Kept look(SessionCall call) throws IOException {
        int before = changes;
        Map<String, FailureGroup> groups = new LinkedHashMap<>();
        GuardStore.Version version = group(store, call, groups);
        groups.values().removeIf(group -> isRefuted(group, call.operation(), version));
        Kept read = new Kept(version, System.nanoTime(), prevalent(groups.values()), new AtomicReference<>());
        changing.lock();
        try {
            if (changes == before) { // else a warning was refuted meanwhile
                if (kept.size() >= MAX_KEPT) {
                    kept.clear();
                }
                kept.put(call.operation(), read);
            }
        } finally {
            changing.unlock();
        }
        return read;
    }

    /** Groups the failures of the operation of a call by their families; returns the version that they are of. */
    static GuardStore.Version group(GuardStore store, SessionCall call, Map<String, FailureGroup> groups)
            throws IOException {
        Map<String, String> shapes = new HashMap<>(); // many failures are of equal calls
        return store.failuresOf(call.tool(), call.action(), MAX_FAILURES, (line, failure) -> {
            String given = failure.tool() + '\n' + failure.action();
            String shape = shapes.computeIfAbsent(
                    given, key -> FailureGroup.shape(failure.tool(), store.redact(failure.tool(), failure.action())));
            groups.computeIfAbsent(failure.ctxHash(), hash -> new FailureGroup(failure))
                    .add(line, failure, shape);
        });
    }

    /** The group that is most of the evidence; null if there is none, or too little evidence. */
    private static @Nullable FailureGroup prevalent(Collection<FailureGroup> groups) {
        int total = 0;
        for (FailureGroup group : groups) {
            total += group.evidence();
        }
        for (FailureGroup group : groups) {
            if (group.evidence() >= FailureGroup.REPEATED && group.evidence() >= MIN_SHARE * total) {
                return group;
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

    /** Removes a warning whose call succeeded unchanged. It returns when the failure is recorded again. */
    void refute(Session.Warned warned) {
        String key = key(warned.call().operation(), warned.family());
        changing.lock();
        try {
            refuted.remove(key);
            refuted.put(key, store.version());
            if (refuted.size() > MAX_KEPT) {
                refuted.remove(refuted.keySet().iterator().next());
            }
            clear();
        } finally {
            changing.unlock();
        }
    }

    private static String key(String operation, String family) {
        return operation + '\n' + family;
    }

    private boolean isRefuted(FailureGroup group, String operation, GuardStore.Version version) {
        changing.lock();
        try {
            GuardStore.Version since = refuted.get(key(operation, group.hash));
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

    /** The warning for a group; {@link #NONE} if no entry helps and the failure is not critical. */
    private Warning warning(FailureGroup group, SessionCall call) throws IOException {
        Advice advice = group.advice(store);
        List<Entry> helping = helping(group, advice, call);
        boolean tells = !helping.isEmpty() || group.critical;
        if (advice.status() != Advice.Status.FOUND || advice.isEmpty() || !tells) {
            return NONE;
        }
        String reason = "such calls failed in " + Plural.of(group.evidence(), "session") + " as " + group.hash;
        Failure.BlockLevel level = group.critical ? advice.level() : Failure.BlockLevel.WARNING;
        GuardAdvice warning = GuardAdvice.of(advice, null)
                .with(List.of(error(group.newest)), store)
                .asWarning(level, reason);
        return new Warning(group.hash, warning, Suggestion.of(advice), helping);
    }

    /** What failed, which the model has not read: the line with the diagnosis, cut. */
    private static String error(Failure failure) {
        String line = failure.error().strip().lines().findFirst().orElse("");
        return "failed before: " + TextSanitizer.said(line, MAX_ERROR_CHARS);
    }

    /** The entries in an advice that help before a call: not the retry of another operation, or of one failure. */
    static List<Entry> helping(FailureGroup group, Advice advice, SessionCall call) {
        return advice.matches().stream()
                .map(Match::entry)
                .filter(entry -> helps(entry, call) && !(entry instanceof Success fix && !group.isOfAll(fix)))
                .toList();
    }

    private static boolean helps(Entry entry, SessionCall call) {
        return entry instanceof Success success
                ? !RecallQuery.isMarkedAsRetry(success) || call.isLike(entry)
                : entry instanceof Failure failure && failure.patternAvoid() != null;
    }
}
