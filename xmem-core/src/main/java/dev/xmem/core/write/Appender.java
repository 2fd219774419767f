package dev.xmem.core.write;

import dev.xmem.Durability;
import dev.xmem.Entry;
import dev.xmem.Limits;
import dev.xmem.XMemException;
import dev.xmem.core.answer.directive.DirectiveReader;
import dev.xmem.core.base.config.LogName;
import dev.xmem.core.base.config.StoreConfig;
import dev.xmem.core.base.io.IoAction;
import dev.xmem.core.base.io.IoSupplier;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.store.index.IdHighWaterMarks;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.index.LogRegistry;
import dev.xmem.core.store.log.LogFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Appends prepared entries: under the store's mutex it learns what other processes appended, has the whole batch encoded
 * ({@link BatchEncoder}), and then writes it, one write for each run of one kind. Everything that can be refused is refused before
 * the first write. The commit point is in {@link LogFile#append}; the index follows it.
 */
public final class Appender {
    private static final int TRIES = 40;

    private final LogRegistry catalog;
    private final StoreLocks locks;
    private final List<LogName> numbered;
    private final Durability durability;
    private final Limits limits;
    private final Set<LogName> shared;
    /** The logs that others may have written to since they were last looked at. Guarded by the store's mutex. */
    private final Set<LogName> unseen = EnumSet.allOf(LogName.class);

    private final GroupCommit group = new GroupCommit(this::write, LogFile::forceTo);
    private final BatchEncoder encoder;

    public Appender(
            LogRegistry catalog,
            StoreLocks locks,
            IdHighWaterMarks spent,
            LineCodec codec,
            DirectiveReader directives,
            StoreConfig settings) {
        this.catalog = catalog;
        this.locks = locks;
        this.shared = settings.places().shared();
        List<LogName> withNumbers = new ArrayList<>();
        for (LogName name : catalog.names()) {
            if (name.numbered()) {
                withNumbers.add(name);
            }
        }
        this.numbered = List.copyOf(withNumbers);
        this.durability = settings.durability();
        this.limits = settings.limits();
        this.encoder = new BatchEncoder(catalog, spent, codec, directives, numbered, settings);
    }

    public List<Entry> append(List<PreparedEntry> batch) throws IOException {
        boolean shares = durability == Durability.GROUP
                && !hasGivenId(batch)
                && !touched(batch).contains(LogName.GLOBAL_DIRECTIVES);
        return shares ? group.append(batch) : append(batch, () -> true);
    }

    /** Writes batches, those of one log together. */
    private void write(List<GroupCommit.CommitGroup> batches) {
        Set<LogName> touched = EnumSet.noneOf(LogName.class);
        Map<LogName, List<GroupCommit.CommitGroup>> ofOneLog = new EnumMap<>(LogName.class);
        List<GroupCommit.CommitGroup> others = new ArrayList<>();
        for (GroupCommit.CommitGroup batch : batches) {
            Set<LogName> logs = touched(batch.drafts());
            touched.addAll(logs);
            boolean together = logs.size() == 1 && !logs.contains(LogName.DIRECTIVES);
            (together ? ofOneLog.computeIfAbsent(logs.iterator().next(), log -> new ArrayList<>()) : others).add(batch);
        }
        try {
            locked(touched, () -> {
                for (List<GroupCommit.CommitGroup> together : ofOneLog.values()) {
                    writeTogether(together, others);
                }
                for (GroupCommit.CommitGroup batch : others) {
                    batch.does(() -> batch.entries(write(encoder.encode(batch.drafts()), batch.written(), false)));
                }
            });
        } catch (IOException | XMemException e) {
            batches.forEach(batch -> batch.failed(e));
        }
    }

    /** Writes batches of new entries of one log at once; where there may not be room for all, they go to the others. */
    private void writeTogether(List<GroupCommit.CommitGroup> batches, List<GroupCommit.CommitGroup> others)
            throws IOException {
        long drafts = 0;
        for (GroupCommit.CommitGroup batch : batches) {
            drafts += batch.drafts().size();
        }
        if (batches.size() == 1 || storeBytes() + drafts * limits.lineBytes() > limits.storeBytes()) {
            others.addAll(batches);
            return;
        }
        BatchEncoder.BatchContext turn = encoder.turn();
        List<BatchEncoder.EncodedLine> all = new ArrayList<>();
        Map<GroupCommit.CommitGroup, List<BatchEncoder.EncodedLine>> ofEach = new LinkedHashMap<>();
        for (GroupCommit.CommitGroup batch : batches) {
            batch.does(() -> ofEach.put(batch, encoder.encode(batch.drafts(), turn)));
            all.addAll(ofEach.getOrDefault(batch, List.of()));
        }
        Map<LogFile, Long> written = new HashMap<>();
        try {
            write(all, written, false);
        } catch (IOException | RuntimeException e) {
            batches.forEach(batch -> batch.failed(e));
        }
        ofEach.forEach((batch, lines) -> batch.does(() -> {
            batch.written().putAll(written);
            batch.entries(encoder.entries(lines));
        }));
    }

    private Set<LogName> touched(List<PreparedEntry> batch) {
        Set<LogName> touched = EnumSet.noneOf(LogName.class);
        for (PreparedEntry entry : batch) {
            touched.add(entry.log(catalog.names()));
        }
        return touched;
    }

    /** As above; nothing is written, and the list is empty, unless a condition holds under the lock. */
    List<Entry> append(List<PreparedEntry> batch, IoSupplier<Boolean> condition) throws IOException {
        Map<LogFile, Long> written = new HashMap<>();
        List<Entry> entries = new ArrayList<>(batch.size());
        boolean given = hasGivenId(batch);
        if (given) {
            catalog.whole();
        }
        locked(touched(batch), () -> {
            if (condition.get()) {
                entries.addAll(write(encoder.encode(batch), written, given));
            }
        });
        makeDurable(written);
        return Collections.unmodifiableList(entries);
    }

    /** Does something while nobody else writes to these logs, with all that others wrote to them known. */
    private void locked(Set<LogName> touched, IoAction work) throws IOException {
        StoreLocks.Held held = locks.acquire(touched);
        try {
            catalog.lock();
            try {
                if (held.othersWrote()) {
                    unseen.addAll(catalog.names());
                }
                List<LogName> unknown = unknown(needed(touched), touched);
                catalog.refresh(unknown);
                unseen.removeAll(unknown);
                work.run();
            } finally {
                encoder.buffer().clear();
                catalog.unlock();
            }
        } finally {
            held.close();
        }
    }

    /** Does something while nobody else writes to the store's own logs, with all of them known. */
    public void alone(IoAction work) throws IOException {
        StoreLocks.Held held = acquirePatiently();
        try {
            catalog.lock();
            try {
                catalog.refresh(catalog.names());
                unseen.clear();
                work.run();
            } finally {
                catalog.unlock();
            }
        } finally {
            held.close();
        }
    }

    private StoreLocks.Held acquirePatiently() throws IOException {
        for (int i = 1; i < TRIES; i++) {
            try {
                return locks.acquire(Set.of());
            } catch (XMemException.Busy e) {
                // a compaction has time: it waits longer than an append
            }
        }
        return locks.acquire(Set.of());
    }

    private static boolean hasGivenId(List<PreparedEntry> batch) {
        for (PreparedEntry entry : batch) {
            if (entry.text("id") != null) {
                return true;
            }
        }
        return false;
    }

    /** The logs of the batch, and all that share the day's numbers with them. */
    private List<LogName> needed(Set<LogName> touched) {
        if (numbered.containsAll(touched)) {
            return numbered;
        }
        boolean number = false;
        for (LogName log : touched) {
            number |= log.numbered();
        }
        List<LogName> needed = new ArrayList<>(catalog.names().size());
        for (LogName log : catalog.names()) {
            if (touched.contains(log) || number && log.numbered()) {
                needed.add(log);
            }
        }
        return needed;
    }

    /** Of these the ones that may have lines which are not known. */
    private List<LogName> unknown(List<LogName> needed, Set<LogName> touched) {
        List<LogName> unknown = new ArrayList<>(needed.size());
        for (LogName log : needed) {
            if (touched.contains(log) || unseen.contains(log) || shared.contains(log)) {
                unknown.add(log);
            }
        }
        return unknown;
    }

    private void makeDurable(Map<LogFile, Long> written) throws IOException {
        for (Map.Entry<LogFile, Long> log : written.entrySet()) {
            switch (durability) {
                case OS -> {}
                case GROUP -> log.getKey().forceTo(log.getValue());
                case EACH -> log.getKey().force();
            }
        }
    }

    private List<Entry> write(List<BatchEncoder.EncodedLine> lines, Map<LogFile, Long> written, boolean given)
            throws IOException {
        checkRoom();
        List<BatchEncoder.EncodedLine> fresh = fresh(lines);
        int from = 0;
        while (from < fresh.size()) {
            int to = endOfRun(fresh, from);
            writeRun(fresh.subList(from, to), written, given);
            from = to;
        }
        return encoder.entries(lines);
    }

    private static List<BatchEncoder.EncodedLine> fresh(List<BatchEncoder.EncodedLine> lines) {
        List<BatchEncoder.EncodedLine> fresh = new ArrayList<>(lines.size());
        for (BatchEncoder.EncodedLine line : lines) {
            if (line.fresh()) {
                fresh.add(line);
            }
        }
        return fresh;
    }

    private long storeBytes() {
        long bytes = 0;
        for (LogName log : catalog.names()) {
            bytes += catalog.log(log).file().length();
        }
        return bytes;
    }

    private void checkRoom() {
        long bytes = encoder.buffer().length() + storeBytes();
        if (bytes > limits.storeBytes()) {
            throw new XMemException.Limit("the size of the store in bytes", bytes, limits.storeBytes());
        }
    }

    private static int endOfRun(List<BatchEncoder.EncodedLine> lines, int from) {
        int to = from + 1;
        while (to < lines.size() && lines.get(to).log() == lines.get(from).log()) {
            to++;
        }
        return to;
    }

    private void writeRun(List<BatchEncoder.EncodedLine> run, Map<LogFile, Long> written, boolean given)
            throws IOException {
        LogIndex log = catalog.log(run.get(0).log());
        int start = run.get(0).start();
        int end = run.get(run.size() - 1).end() + 1;
        byte[] buffer = encoder.buffer().array();
        long offset = log.append(buffer, start - 1, end - start + 1);
        int known = log.count();
        for (BatchEncoder.EncodedLine line : run) {
            log.add(line.facts(), offset + line.start() - start, buffer, line.start(), line.length());
        }
        if (given) {
            catalog.added(run.get(0).log(), known);
        }
        written.put(log.file(), log.file().length());
    }
}
