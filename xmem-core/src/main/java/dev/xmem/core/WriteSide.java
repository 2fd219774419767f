package dev.xmem.core;

import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.EntryDraft;
import dev.xmem.Outcome;
import dev.xmem.core.base.concurrent.Lazy;
import dev.xmem.core.base.config.StorePaths;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.trace.StoreEvent;
import dev.xmem.core.maintain.compact.Maintenance;
import dev.xmem.core.maintain.verify.IndexJsonWriter;
import dev.xmem.core.store.index.IdHighWaterMarks;
import dev.xmem.core.store.index.IndexJson;
import dev.xmem.core.store.index.StoreSnapshot;
import dev.xmem.core.write.AnnotationWriter;
import dev.xmem.core.write.Appender;
import dev.xmem.core.write.StoreLocks;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The write side of a store; absent when it was opened read-only. Appender and maintenance are created lazily, because
 * many processes open a store, run one query and exit. Thread-safe.
 */
final class WriteSide implements Closeable {
    private final StoreAssembly parts;
    private final StoreLocks locks;
    final IndexJsonWriter index;
    final Lazy<Appender> appender;
    final Lazy<Maintenance> maintenance;

    /** Creates the folders that are missing. */
    WriteSide(StoreAssembly parts) throws IOException {
        this.parts = parts;
        FileSystem files = parts.files;
        StorePaths paths = parts.paths;
        files.createFolders(paths.data());
        files.createFolders(paths.local());
        if (!files.exists(paths.localIgnore())) {
            files.replace(paths.localIgnore(), "*\n".getBytes(StandardCharsets.UTF_8));
        }
        this.locks = new StoreLocks(files, paths.lock(), paths.globalLock(), parts.config.lockTimeout());
        IdHighWaterMarks marks = new IdHighWaterMarks(files, paths.spentNumbers());
        IndexJson file = new IndexJson(files, paths.index(), paths.indexState());
        this.index = new IndexJsonWriter(
                parts.registry, file, files.lock(paths.indexLock()), parts.config.resources(), parts.integrity);
        this.appender = new Lazy<>(new Supplier<Appender>() {
            @Override
            public Appender get() {
                return new Appender(parts.registry, locks, marks, parts.redaction, parts.directives, parts.config);
            }
        });
        this.maintenance = new Lazy<>(new Supplier<Maintenance>() {
            @Override
            public Maintenance get() {
                return new Maintenance(
                        files, parts.registry, marks, parts.config, appender.get(), index, parts.checksums);
            }
        });
    }

    /** Appends a batch. Returns directives with everything their lines say. */
    List<Entry> append(List<? extends EntryDraft> batch) throws IOException {
        long begin = System.nanoTime();
        StoreEvent event = new StoreEvent(StoreEvent.Operation.APPEND);
        List<Entry> recorded = parts.recovery.once(() -> appender.get().append(batch));
        parts.metrics.appended.add(recorded.size());
        event.done(recorded.size());
        parts.metrics.appends.ended(begin);
        index.touched();
        if (parts.sync != null) {
            parts.sync.appended();
        }
        parts.layers.learned(recorded);
        boolean directives = false;
        for (Entry entry : recorded) {
            directives |= entry instanceof Directive;
        }
        if (!directives) {
            return recorded;
        }
        return parts.recovery.withRetry(() -> {
            StoreSnapshot snapshot = parts.registry.snapshot();
            List<Entry> folded = new ArrayList<>(recorded.size());
            for (Entry entry : recorded) {
                folded.add(parts.lookup.folded(snapshot, entry));
            }
            return folded;
        });
    }

    /** What writes votes and amendments. */
    AnnotationWriter annotations() {
        return new AnnotationWriter(parts.registry, parts.outcomes, parts.lookup, appender.get());
    }

    /** Records a vote; false if the session has voted on the entry before. */
    boolean vote(String id, Outcome outcome, String session) throws IOException {
        boolean counts = parts.recovery.once(() -> annotations().outcome(id, outcome, session));
        if (counts && outcome == Outcome.WORKED && !parts.layers.isEmpty()) {
            parts.layers.worked(parts.lookup.find(parts.registry.whole(), id));
        }
        return counts;
    }

    /** Updates what is derived from the logs and ends the background work. */
    void stop() {
        Maintenance made = maintenance.ifCreated();
        if (made != null) {
            made.close();
        }
        index.stop();
        index.flushQuietly();
    }

    @Override
    public void close() throws IOException {
        index.close();
        locks.close();
    }
}
