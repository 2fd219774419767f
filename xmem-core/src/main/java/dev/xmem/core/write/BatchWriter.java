package dev.xmem.core.write;

import dev.xmem.Limits;
import dev.xmem.XMemException;
import dev.xmem.core.base.config.LogName;
import dev.xmem.core.base.config.StoreConfig;
import dev.xmem.core.base.io.IoAction;
import dev.xmem.core.base.io.IoSupplier;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.index.LogRegistry;
import dev.xmem.core.store.log.LogFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Writes batches under the store's lock: refreshes the index with the lines that other processes appended, has the
 * batch encoded, and writes it with one write for each run of lines of one log. Everything that can be refused is
 * refused before the first write. The commit point is in {@link LogFile#append}; the index follows it.
 * Decision: docs/adr/0002-append-only.md.
 */
final class BatchWriter {
    private final LogRegistry registry;
    private final StoreLocks locks;
    private final BatchEncoder encoder;
    private final Limits limits;
    /** Logs outside the store's folder: other programs write to them without this store's lock. */
    private final Set<LogName> shared;
    /** The logs that other processes may have written to since the last refresh. Guarded by the store's lock. */
    private final Set<LogName> unseen = EnumSet.allOf(LogName.class);

    BatchWriter(LogRegistry registry, StoreLocks locks, BatchEncoder encoder, StoreConfig config) {
        this.registry = registry;
        this.locks = locks;
        this.encoder = encoder;
        this.limits = config.limits();
        this.shared = config.paths().shared();
    }

    /** Writes one batch if a condition holds under the lock. */
    void write(PendingBatch batch, IoSupplier<Boolean> condition) throws IOException {
        if (batch.hasGivenId()) {
            registry.whole();
        }
        locked(locks.acquire(batch.logs), batch.logs, () -> {
            if (condition.get()) {
                writeTogether(List.of(batch));
            }
        });
    }

    /**
     * Writes the batches of a group, those of one log together. Directives look up each other, so each goes by itself.
     */
    void writeAll(List<PendingBatch> batches) {
        Set<LogName> logs = EnumSet.noneOf(LogName.class);
        Map<LogName, List<PendingBatch>> byLog = new EnumMap<>(LogName.class);
        List<List<PendingBatch>> runs = new ArrayList<>();
        for (PendingBatch batch : batches) {
            logs.addAll(batch.logs);
            if (batch.logs.size() == 1 && !batch.logs.contains(LogName.DIRECTIVES)) {
                byLog.computeIfAbsent(batch.logs.iterator().next(), log -> new ArrayList<>())
                        .add(batch);
            } else {
                runs.add(List.of(batch));
            }
        }
        runs.addAll(0, byLog.values());
        try {
            locked(locks.acquire(logs), logs, () -> runs.forEach(this::writeTogether));
        } catch (IOException | XMemException e) {
            batches.forEach(batch -> batch.failed(e));
        }
    }

    /** Writes batches at once; if the store may not have room for all of them, one after the other. */
    private void writeTogether(List<PendingBatch> batches) {
        long entries = 0;
        for (PendingBatch batch : batches) {
            entries += batch.entries.size();
        }
        if (batches.size() > 1 && storeBytes() + entries * limits.lineBytes() > limits.storeBytes()) {
            batches.forEach(batch -> writeTogether(List.of(batch)));
            return;
        }
        try (BatchEncoder.BatchContext context = encoder.begin()) {
            List<BatchEncoder.EncodedLine> lines = new ArrayList<>();
            for (PendingBatch batch : batches) {
                batch.run(() -> batch.lines = encoder.encode(batch.entries, context));
                for (BatchEncoder.EncodedLine line : batch.lines) {
                    if (line.fresh()) {
                        lines.add(line);
                    }
                }
            }
            write(lines, context, batches);
            batches.forEach(batch -> batch.run(() -> batch.result = encoder.entries(batch.lines)));
        } catch (IOException | RuntimeException e) {
            batches.forEach(batch -> batch.failed(e));
        }
    }

    private void write(
            List<BatchEncoder.EncodedLine> lines, BatchEncoder.BatchContext context, List<PendingBatch> batches)
            throws IOException {
        long bytes = context.buffer().length() + storeBytes();
        if (bytes > limits.storeBytes()) {
            throw new XMemException.Limit(
                    "the size of the store in bytes",
                    bytes,
                    limits.storeBytes(),
                    "Compact the store, purge entries, or raise Limits.storeBytes.");
        }
        boolean given = batches.get(0).hasGivenId(); // such a batch is written alone
        int from = 0;
        while (from < lines.size()) {
            int to = from + 1;
            while (to < lines.size() && lines.get(to).log() == lines.get(from).log()) {
                to++;
            }
            LogFile file = writeRun(lines.subList(from, to), context.buffer().array(), given);
            batches.forEach(batch -> batch.written.put(file, file.length()));
            from = to;
        }
    }

    /** Appends lines of one log with one write, and adds them to its index. */
    private LogFile writeRun(List<BatchEncoder.EncodedLine> run, byte[] buffer, boolean given) throws IOException {
        LogName name = run.get(0).log();
        LogIndex log = registry.log(name);
        int start = run.get(0).start();
        int end = run.get(run.size() - 1).end() + 1;
        long offset = log.append(buffer, start - 1, end - start + 1);
        int before = log.count();
        for (BatchEncoder.EncodedLine line : run) {
            log.add(line.fields(), offset + line.start() - start, buffer, line.start(), line.length(), line.minted());
        }
        if (given) {
            registry.added(name, before);
        }
        return log.file();
    }

    private long storeBytes() {
        long bytes = 0;
        for (LogName log : registry.names()) {
            bytes += registry.log(log).file().length();
        }
        return bytes;
    }

    /** Runs an action while no other writer can append to the store's own logs, with all their lines indexed. */
    void alone(IoAction action) throws IOException {
        locked(locks.acquirePatiently(), Set.copyOf(registry.names()), action);
    }

    /** Runs an action under the locks, with all lines of these logs indexed; then releases the locks. */
    private void locked(StoreLocks.Held locked, Set<LogName> logs, IoAction action) throws IOException {
        try (locked) {
            registry.lock();
            try {
                if (locked.othersWrote()) {
                    unseen.addAll(registry.names());
                }
                List<LogName> stale = stale(logs);
                registry.refresh(stale);
                unseen.removeAll(stale);
                action.run();
            } finally {
                registry.unlock();
            }
        }
    }

    /** Of these logs, and those that share the day's numbers with them, the ones that may have unknown lines. */
    private List<LogName> stale(Set<LogName> logs) {
        boolean numbered = false;
        for (LogName log : logs) {
            numbered |= log.numbered();
        }
        List<LogName> stale = new ArrayList<>(registry.names().size());
        for (LogName log : registry.names()) {
            boolean changed = unseen.contains(log) || shared.contains(log);
            if (logs.contains(log) || numbered && log.numbered() && changed) {
                stale.add(log);
            }
        }
        return stale;
    }
}
