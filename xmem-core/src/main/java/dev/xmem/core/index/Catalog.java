package dev.xmem.core.index;

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
    private final Function<Log, LogFile> opener;
    private final LineCodec codec;
    private final InstantSource clock;
    private final List<Log> names;
    /** Where in {@code logs} each log is, by its ordinal. */
    private final int[] places;

    private volatile List<LogIndex> logs;

    /** A catalog that knows nothing yet; {@link #refreshed} reads the files. */
    public Catalog(List<Log> names, Function<Log, LogFile> opener, LineCodec codec, InstantSource clock) {
        this.names = List.copyOf(names);
        this.places = new int[Log.values().length];
        names.forEach(name -> places[name.ordinal()] = names.indexOf(name));
        this.opener = opener;
        this.codec = codec;
        this.clock = clock;
        this.logs = names.stream().map(this::fresh).toList();
    }

    private LogIndex fresh(Log name) {
        return new LogIndex(opener.apply(name), name.kind(), codec, this::linesWithId);
    }

    private int linesWithId(String id) {
        int lines = 0;
        for (LogIndex log : logs) {
            lines += log.withId(id).countBelow(Integer.MAX_VALUE);
        }
        return lines;
    }

    /** The logs of this store, in their order. */
    public List<Log> names() {
        return names;
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
                    learn(names);
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
    public void learn(List<Log> of) throws IOException {
        long horizon = clock.millis() + DAY_MILLIS;
        for (Log name : of) {
            learn(name, horizon);
        }
    }

    private void learn(Log name, long horizonMillis) throws IOException {
        LogIndex log = log(name);
        for (int i = 0; i < TRIES; i++) {
            log.horizon(horizonMillis);
            if (log.file().learn(log) != LogFile.Change.REPLACED) {
                return;
            }
            log = fresh(name);
            List<LogIndex> changed = new ArrayList<>(logs);
            changed.set(names.indexOf(name), log);
            logs = List.copyOf(changed);
        }
        throw new IOException(log.file().path() + " is being rewritten by somebody; try again");
    }

    /** The index of a log. */
    public LogIndex log(Log name) {
        return logs.get(places[name.ordinal()]);
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
