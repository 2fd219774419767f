package dev.xmem.core.write;

import dev.xmem.Durability;
import dev.xmem.Entry;
import dev.xmem.EntryDraft;
import dev.xmem.core.answer.directive.DirectiveReader;
import dev.xmem.core.base.config.LogName;
import dev.xmem.core.base.config.StoreConfig;
import dev.xmem.core.base.io.IoAction;
import dev.xmem.core.base.io.IoSupplier;
import dev.xmem.core.store.index.IdHighWaterMarks;
import dev.xmem.core.store.index.LogRegistry;
import dev.xmem.core.store.log.LogFile;
import dev.xmem.core.text.redact.Redaction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Appends drafts to the logs of a store, as durably as the store is configured. Thread-safe.
 *
 * <p>With {@link Durability#GROUP} a batch joins a group commit. Two kinds of batches are written alone: those with ids
 * that the caller gave, which need all archives, and those for the global directives, which need a second lock.
 */
public final class Appender {
    private final LogRegistry registry;
    private final Durability durability;
    private final DraftProcessor processor;
    private final BatchWriter writer;
    private final GroupCommit group;

    public Appender(
            LogRegistry registry,
            StoreLocks locks,
            IdHighWaterMarks marks,
            Redaction redaction,
            DirectiveReader directives,
            StoreConfig config) {
        this.registry = registry;
        this.durability = config.durability();
        this.processor = new DraftProcessor(redaction, config);
        BatchEncoder encoder = new BatchEncoder(registry, marks, directives, config);
        this.writer = new BatchWriter(registry, locks, encoder, config);
        this.group = new GroupCommit(writer::writeAll, LogFile::forceTo);
    }

    /** Appends a batch and returns the entries as they are stored. */
    public List<Entry> append(List<? extends EntryDraft> drafts) throws IOException {
        List<PreparedEntry> prepared = new ArrayList<>(drafts.size());
        for (EntryDraft draft : drafts) {
            prepared.add(processor.prepare(draft));
        }
        return appendPrepared(prepared);
    }

    List<Entry> appendPrepared(List<PreparedEntry> prepared) throws IOException {
        PendingBatch batch = new PendingBatch(prepared, registry.names());
        boolean alone = batch.hasGivenId() || batch.logs.contains(LogName.GLOBAL_DIRECTIVES);
        return durability == Durability.GROUP && !alone ? group.append(batch) : appendAlone(batch, () -> true);
    }

    /** Appends an event if a condition still holds once no other writer can append; returns whether it did. */
    boolean appendIf(IoSupplier<Boolean> condition, PreparedEntry event) throws IOException {
        return !appendAlone(new PendingBatch(List.of(event), registry.names()), condition)
                .isEmpty();
    }

    private List<Entry> appendAlone(PendingBatch batch, IoSupplier<Boolean> condition) throws IOException {
        writer.write(batch, condition);
        List<Entry> entries = batch.result();
        for (Map.Entry<LogFile, Long> log : batch.written.entrySet()) {
            switch (durability) {
                case OS -> {}
                case GROUP -> log.getKey().forceTo(log.getValue());
                case EACH -> log.getKey().force();
            }
        }
        return entries;
    }

    /** Runs an action while no other writer can append to the store's own logs, with all their lines indexed. */
    public void alone(IoAction action) throws IOException {
        writer.alone(action);
    }

    DraftProcessor processor() {
        return processor;
    }
}
