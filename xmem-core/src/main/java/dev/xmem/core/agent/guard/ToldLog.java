package dev.xmem.core.agent.guard;

import dev.xmem.Advice;
import dev.xmem.Match;
import dev.xmem.RecallHistory.Door;
import dev.xmem.ToolCall;
import dev.xmem.core.agent.event.RecallLog;
import java.time.Duration;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Notes what a guard told. A store that may be written gets the lines soon after the answer, or when it is closed; a
 * store that is read-only gets none. {@link Guard#flush(Duration)} does not wait for them. Thread-safe.
 */
final class ToldLog {
    private static final Duration WRITE_DELAY = Duration.ofMillis(50);

    private final GuardStore store;
    private final RecallLog log;
    private final Runnable task;

    ToldLog(GuardStore store) {
        this.store = store;
        this.log = new RecallLog(store.files(), store.config().paths().local(), store::existing);
        this.task = log::write;
    }

    /** Notes the answer about a failure that the guard judged or was asked about, also if nothing was told. */
    Advice failure(Door door, ToolCall call, GuardStore.Recalled recalled, boolean repeats, Advice advice) {
        boolean known = repeats
                || !recalled.advice().leftOut().isEmpty()
                || recalled.advice().matches().stream().anyMatch(match -> match.matchType() == Match.MatchType.EXACT);
        return noted(door, call.session(), recalled.hash().value(), known, advice);
    }

    /** Notes a warning, or what a complaining user was told; an empty advice is not noted. */
    Advice told(Door door, @Nullable String session, String family, Advice advice) {
        return advice.isEmpty() ? advice : noted(door, session, family, true, advice);
    }

    private Advice noted(Door door, @Nullable String session, String family, boolean isRepeat, Advice advice) {
        if (store.isWritable()) {
            log.answered(door, store.now(), hash(session), family, isRepeat, advice);
            store.runLater(task, WRITE_DELAY);
        }
        return advice;
    }

    /** Notes that a call worked whose family failed before in its session. */
    void worked(String session, String family, Collection<String> followed) {
        if (store.isWritable()) {
            log.worked(store.now(), hash(session), family, followed);
            store.runLater(task, WRITE_DELAY);
        }
    }

    private static String hash(@Nullable String session) {
        return session == null || session.isBlank() ? "" : SessionFiles.hash(session);
    }

    /** Drops the lines that are not written yet. */
    void clear() {
        log.clear();
    }

    /** Writes the lines that wait. */
    void write() {
        if (store.isWritable()) {
            log.write();
        }
    }
}
