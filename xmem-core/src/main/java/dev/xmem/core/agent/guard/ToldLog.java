package dev.xmem.core.agent.guard;

import dev.xmem.Advice;
import dev.xmem.Match;
import dev.xmem.RecallHistory.Door;
import dev.xmem.ToolCall;
import dev.xmem.core.agent.event.RecallLog;
import dev.xmem.core.base.json.LineCodec;
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

    ToldLog(GuardStore store, LineCodec codec) {
        this.store = store;
        this.log = new RecallLog(
                store.files(), store.localFolder(), codec, id -> store.find(id).isPresent());
        this.task = log::write;
    }

    /** Notes a warning, if there is one. */
    Advice before(@Nullable String session, String family, Advice advice) {
        return advice.isEmpty() ? advice : answered(Door.BEFORE, session, family, true, advice);
    }

    /** Notes a failure that was judged, also if nothing was told. */
    void failed(ToolCall call, GuardStore.Recalled recalled, boolean repeats, Advice advice) {
        boolean known = repeats || isKnown(recalled.advice());
        answered(Door.FAILED, call.session(), recalled.hash().value(), known, advice);
    }

    Advice asked(ToolCall call, GuardStore.Recalled recalled, Advice advice) {
        String family = recalled.hash().value();
        return answered(Door.ASKED, call.session(), family, isKnown(recalled.advice()), advice);
    }

    /** Notes what a complaining user was told, if anything. */
    Advice user(String session, Advice advice) {
        return advice.isEmpty() ? advice : answered(Door.USER, session, "", true, advice);
    }

    private static boolean isKnown(Advice recalled) {
        return !recalled.leftOut().isEmpty()
                || recalled.matches().stream().anyMatch(match -> match.matchType() == Match.MatchType.EXACT);
    }

    private Advice answered(Door door, @Nullable String session, String family, boolean isRepeat, Advice advice) {
        if (store.isWritable()) {
            log.answered(door, store.now(), hash(session), family, isRepeat, advice);
            store.runLater(task, WRITE_DELAY);
        }
        return advice;
    }

    void worked(String session, String family, Collection<String> followed) {
        if (store.isWritable()) {
            log.worked(store.now(), hash(session), family, followed);
            store.runLater(task, WRITE_DELAY);
        }
    }

    private static String hash(@Nullable String session) {
        return session == null || session.isBlank() ? "" : SessionFiles.hash(session);
    }

    /** Drops what waits. */
    void clear() {
        log.clear();
    }

    /** Writes what waits. */
    void write() {
        if (store.isWritable()) {
            log.write();
        }
    }
}
