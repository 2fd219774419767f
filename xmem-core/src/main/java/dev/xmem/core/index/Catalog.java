package dev.xmem.core.index;

import dev.xmem.Entry;
import dev.xmem.core.log.LogFile;
import dev.xmem.core.record.LineCodec;
import java.io.Closeable;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * All logs of a store and their indexes, kept in step with the files. {@link #refreshed} is what every query begins with:
 * one look at each file tells whether another process appended, and only then is anything read. {@link #lock} is held by
 * whoever adds lines.
 */
public final class Catalog implements Closeable {
    private static final long DAY_MILLIS = 86_400_000;
    private static final int TRIES = 3;

    private final ReentrantLock adding = new ReentrantLock();
    private final Function<Entry.Kind, LogFile> opener;
    private final LineCodec codec;
    private final InstantSource clock;
    private final List<Entry.Kind> kinds;
    private volatile List<LogIndex> logs;

    /** A catalog that knows nothing yet; {@link #refreshed} reads the files. */
    public Catalog(List<Entry.Kind> kinds, Function<Entry.Kind, LogFile> opener, LineCodec codec, InstantSource clock) {
        this.kinds = kinds;
        this.opener = opener;
        this.codec = codec;
        this.clock = clock;
        this.logs = kinds.stream().map(this::fresh).toList();
    }

    private LogIndex fresh(Entry.Kind kind) {
        return new LogIndex(opener.apply(kind), kind, codec);
    }

    /** What is known now, without a look at the files. */
    public Snapshot snapshot() {
        return new Snapshot(
                logs.stream().map(log -> new LogView(log, log.count())).toList());
    }

    /** What is known after a look at the files. */
    public Snapshot refreshed() throws IOException {
        for (LogIndex log : logs) {
            if (log.file().looksChanged()) {
                adding.lock();
                try {
                    learn(kinds);
                    break;
                } finally {
                    adding.unlock();
                }
            }
        }
        return snapshot();
    }

    /** Keeps others from adding. */
    public void lock() {
        adding.lock();
    }

    /** Lets others add. */
    public void unlock() {
        adding.unlock();
    }

    /** Reads what others appended to these logs. The caller holds {@link #lock}. */
    public void learn(List<Entry.Kind> of) throws IOException {
        for (Entry.Kind kind : of) {
            learn(kind);
        }
    }

    private void learn(Entry.Kind kind) throws IOException {
        LogIndex log = log(kind);
        for (int i = 0; i < TRIES; i++) {
            log.horizon(clock.millis() + DAY_MILLIS);
            if (log.file().learn(log) != LogFile.Change.REPLACED) {
                return;
            }
            log = fresh(kind);
            List<LogIndex> changed = new ArrayList<>(logs);
            changed.set(kinds.indexOf(kind), log);
            logs = List.copyOf(changed);
        }
        throw new IOException(log.file().path() + " is being rewritten by somebody; try again");
    }

    /** The index of a kind's log. */
    public LogIndex log(Entry.Kind kind) {
        return logs.get(kinds.indexOf(kind));
    }

    @Override
    public void close() throws IOException {
        adding.lock();
        try {
            for (LogIndex log : logs) {
                log.file().close();
            }
        } finally {
            adding.unlock();
        }
    }
}
