package dev.xmem.core.store.index;

import dev.xmem.Entry;
import dev.xmem.core.base.config.LogDescriptor;
import dev.xmem.core.base.config.LogName;
import dev.xmem.core.store.log.LogFile;
import dev.xmem.core.store.segment.LogStatistics;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * All logs of a store with their indexes: the <em>hot</em> logs, to which the store appends; those that peers
 * published; and archives, which are read when a caller first asks for the {@link #whole} store.
 *
 * <p><strong>The set of logs</strong> is a {@link LogSetVersion}: an immutable list of indexes that grow. A reader
 * takes a {@link StoreSnapshot} of it and uses no lock. {@link #refreshed} begins every query: one stat of each file
 * and one of their folder show whether another process appended, and only then is anything read. Where a log turns out
 * to be another file than before, its index cannot grow on: the log is read into a new index, and a new version of the
 * set takes the place of the old one. A reader that has the old version goes on with the old index and file.
 *
 * <p><strong>The lock.</strong> {@link #lock} is held by the one thread that adds lines or replaces the set. It is
 * above the locks of {@link TextIndexes} and {@link SegmentSealing}, and below the store's lock between processes: an
 * appender acquires the lock first. A background thread writes segments without this lock. So a replaced index is kept
 * until {@link #sweep} has retired it; it writes no segment after that.
 */
public final class LogRegistry implements Closeable {
    private static final long DAY_MILLIS = 86_400_000;
    private static final int TRIES = 3;

    private final ReentrantLock adding = new ReentrantLock();
    private final Function<LogDescriptor, LogFile> opener;
    private volatile SegmentStore segments;
    private final InstantSource clock;
    private final List<LogName> names;
    /** The place of each hot log in a set, by the ordinal of its name. */
    private final int[] places;

    private final LogDiscovery discovery;
    private volatile LogSetVersion now;
    /** Replaced indexes that a background thread may still be writing segments of. */
    private final Queue<LogIndex> replaced = new ConcurrentLinkedQueue<>();

    /** A registry of the hot logs and the others, which reads no file before {@link #refreshed}. */
    public LogRegistry(
            Map<LogName, Path> hot,
            LogDiscovery discovery,
            Function<LogDescriptor, LogFile> opener,
            SegmentStore segments,
            InstantSource clock,
            boolean hidesPrivate) {
        this.names = List.copyOf(new TreeSet<>(hot.keySet()));
        this.places = new int[LogName.values().length];
        for (LogName name : names) {
            places[name.ordinal()] = names.indexOf(name);
        }
        this.opener = opener;
        this.segments = segments;
        this.clock = clock;
        this.discovery = discovery;
        this.now = LogSetVersion.ofHot(List.of(), hidesPrivate);
        List<LogIndex> logs = new ArrayList<>();
        for (LogName name : names) {
            logs.add(fresh(LogDescriptor.hot(name.kind(), Objects.requireNonNull(hot.get(name)))));
        }
        this.now = LogSetVersion.ofHot(List.copyOf(logs), hidesPrivate);
    }

    private LogIndex fresh(LogDescriptor part) {
        SegmentStore store = part.origin().own() ? segments : segments.forImports();
        BiPredicate<String, String> repeatedIds = new BiPredicate<>() {
            @Override
            public boolean test(String id, String owner) {
                return now.isRepeated(id, owner);
            }
        };
        LogIndex log = new LogIndex(opener.apply(part), part, store, repeatedIds);
        log.statistics().times().maxPlausibleTime(clock.millis() + DAY_MILLIS);
        return log;
    }

    /** The files of all logs that were read, those of peers one by one. */
    public List<LogDescriptor> files() {
        List<LogDescriptor> files = new ArrayList<>();
        for (LogIndex log : now.logs()) {
            if (log.origin().own()) {
                files.add(log.part());
            }
        }
        files.addAll(discovery.members());
        return files;
    }

    /** The names of the hot logs, in their order. */
    public List<LogName> names() {
        return names;
    }

    /** How many lines are failures or successes, in all logs as they were last read. Cheap enough for each append. */
    public long failuresAndSuccesses() {
        long lines = 0;
        for (LogIndex log : now.logs()) {
            LogStatistics counts = log.statistics().logStatistics();
            lines += counts.of(Entry.Kind.FAILURE) + counts.of(Entry.Kind.SUCCESS);
        }
        return lines;
    }

    /** All logs but archives as they were last read. Reads no file. */
    public StoreSnapshot snapshot() {
        return now.snapshot(false, discovery.archived().isEmpty());
    }

    /** All logs but archives, up to date with their files. */
    public StoreSnapshot refreshed() throws IOException {
        look(false);
        return snapshot();
    }

    /** All logs, up to date with their files. */
    public StoreSnapshot whole() throws IOException {
        return look(true).snapshot(true, true);
    }

    private LogSetVersion look(boolean archives) throws IOException {
        if (looksChanged(now, archives)) {
            adding.lock();
            try {
                refreshAll(archives);
            } finally {
                adding.unlock();
            }
        }
        return now;
    }

    private boolean looksChanged(LogSetVersion known, boolean archives) throws IOException {
        FolderNames.Listing data = discovery.data();
        if (discovery.changed(data) || archives && !known.archives().equals(discovery.archived())) {
            return true;
        }
        for (LogIndex log : known.upTo(archives)) {
            LogFile file = log.file();
            boolean absent = file.key() == null && data != null && data.lacks(file.path());
            if (!absent && file.looksChanged()) {
                return true;
            }
        }
        return false;
    }

    /** All logs, up to date unless another thread is adding: then as they were last read. Never waits. */
    public StoreSnapshot wholeIfFree() throws IOException {
        if (looksChanged(now, true) && adding.tryLock()) {
            try {
                refreshAll(true);
            } finally {
                adding.unlock();
            }
        }
        LogSetVersion known = now;
        return known.snapshot(true, known.archives().equals(discovery.archived()));
    }

    /** Acquires the lock for adding lines; {@link #unlock} releases it. */
    public void lock() {
        adding.lock();
    }

    public void unlock() {
        adding.unlock();
    }

    /** Reads the new lines of these hot logs. The caller holds {@link #lock}. */
    public void refresh(List<LogName> of) throws IOException {
        for (LogName name : of) {
            refresh(places[name.ordinal()]);
        }
    }

    private void refresh(int place) throws IOException {
        LogIndex log = now.logs().get(place);
        int known = log.count();
        log.statistics().times().maxPlausibleTime(clock.millis() + DAY_MILLIS);
        try {
            if (log.refresh() == LogFile.Change.REPLACED) {
                replaced.add(log);
                now = now.with(place, reread(log.part()));
            }
        } finally {
            if (has(log) && log.count() > known) {
                now.settle(place, known); // also what was added before the reading failed
            }
        }
    }

    /** Reads a log from its beginning into a new index. */
    private LogIndex reread(LogDescriptor part) throws IOException {
        for (int i = 0; i < TRIES; i++) {
            LogIndex log = fresh(part);
            if (log.refresh() != LogFile.Change.REPLACED) {
                return log;
            }
        }
        throw new IOException(part.file() + " is being replaced by another process; try again");
    }

    private void refreshAll(boolean archives) throws IOException {
        refresh(names);
        if (discovery.changed(null)) {
            discovery.list();
        }
        List<LogDescriptor> wanted = new ArrayList<>(discovery.published());
        wanted.addAll(archives ? discovery.archived() : now.archives());
        if (!wanted.equals(now.auxiliary())) {
            List<LogIndex> logs = new ArrayList<>(now.logs().subList(0, names.size()));
            for (LogDescriptor part : wanted) {
                LogIndex known = now.find(part);
                logs.add(known == null ? reread(part) : known);
            }
            now = LogSetVersion.of(logs, names.size(), now.hidesPrivate());
        }
        for (int place = names.size(); place < now.upTo(archives).size(); place++) {
            refresh(place);
        }
    }

    /** Looks whether lines that were added to a hot log are in other logs, too. The caller holds {@link #lock}. */
    public void added(LogName name, int from) throws IOException {
        now.settle(places[name.ordinal()], from);
    }

    /** The store's own logs: the hot ones, and the archives that were read. The caller holds {@link #lock}. */
    public List<LogIndex> own() {
        return now.logs().stream().filter(log -> log.origin().own()).toList();
    }

    /** How much of a log is indexed: its lines, and the bytes that they are in. */
    public record Extent(int lines, long bytes) {}

    public Extent extent(LogIndex log) {
        adding.lock();
        try {
            return new Extent(log.count(), log.file().length());
        } finally {
            adding.unlock();
        }
    }

    /** An index of a file that will be renamed to a log. */
    public LogIndex ahead(LogIndex of, Path temporary) throws IOException {
        LogIndex log = fresh(of.part());
        log.indexAhead(temporary);
        return log;
    }

    /** As {@link #ahead}; what the index of the log knows of lines that stay is carried over. */
    public LogIndex carriedOver(LogIndex of, LogIndex.CarriedLines lines, Path temporary) throws IOException {
        LogIndex log = fresh(of.part());
        try {
            log.carryOver(of, lines, temporary);
            log.indexAhead(temporary);
            return log;
        } catch (IOException | RuntimeException | Error e) {
            log.file().close();
            throw e;
        }
    }

    /** The highest number of the ids of each day in a log. */
    public Map<String, Integer> highestNumbers(LogIndex log) {
        adding.lock();
        try {
            return log.statistics().days().highest();
        } finally {
            adding.unlock();
        }
    }

    /** Whether an index is still in use: it was not replaced. */
    public boolean has(LogIndex log) {
        return now.logs().contains(log);
    }

    /** A prepared replacement of an index in a set of logs, as of the first {@code counts} lines of each log. */
    public record Swap(LogSetVersion base, LogIndex before, LogIndex after, LogSetVersion next, List<Integer> counts) {}

    /** Prepares the replacement of an index: finds the shadowed lines, while other threads go on adding. */
    public Swap prepare(LogIndex before, LogIndex after) throws IOException {
        LogSetVersion base = now;
        List<LogIndex> logs = new ArrayList<>(base.logs());
        logs.replaceAll(log -> log == before ? after : log);
        List<Integer> counts = logs.stream().map(LogIndex::count).toList();
        int place = base.logs().indexOf(before);
        // Where another process has replaced the log there is nothing to prepare: see has.
        return new Swap(base, before, after, place < 0 ? base : base.with(place, after), counts);
    }

    /** Replaces an index as prepared. The caller holds {@link #lock}. */
    @SuppressWarnings("ReferenceEquality") // a version is replaced as a whole
    public void swap(Swap prepared) throws IOException {
        replaced.add(prepared.before);
        if (now != prepared.base) {
            now = now.with(now.logs().indexOf(prepared.before), prepared.after);
            return;
        }
        LogSetVersion next = prepared.next;
        for (int place = 0; place < next.logs().size(); place++) {
            if (next.logs().get(place).count() > prepared.counts.get(place)) {
                next.settle(place, prepared.counts.get(place));
            }
        }
        now = next;
    }

    /** Retires replaced indexes, and removes the files of segments that are not in use. */
    public void sweep() throws IOException {
        for (LogIndex old = replaced.poll(); old != null; old = replaced.poll()) {
            old.sealing().retire();
        }
        for (LogIndex log : now.logs()) {
            log.sealing().sweep(log.segments().sealable());
        }
    }

    /** Removes the files of segments of logs that are gone. Called when the {@link #whole} store was read. */
    public void sweepLost() throws IOException {
        List<LogFile> known = now.logs().stream().map(LogIndex::file).toList();
        segments.sweepLost(known, discovery::isGone);
    }

    /**
     * Reads every log again that differs from the bytes its segments were made of, until stopped; returns which.
     *
     * @param believed how many segments of a log are not compared, from the first
     */
    public List<LogIndex> readAgainWhatChanged(ToIntFunction<LogIndex> believed, BooleanSupplier stopped)
            throws IOException {
        List<LogIndex> changed = new ArrayList<>();
        for (LogIndex log : now.logs()) {
            if (!log.sealing().covers(log.segments().sealable(believed.applyAsInt(log)), stopped)) {
                changed.add(readAgain(log));
            }
        }
        return changed;
    }

    /** Removes all segments, which contradict themselves although their checksums match, and reads all logs again. */
    public void distrustSegments() throws IOException {
        adding.lock();
        try {
            List<LogIndex> logs = new ArrayList<>(now.logs());
            logs.forEach(log -> log.sealing().retire());
            segments = segments.distrusted();
            for (int place = 0; place < logs.size(); place++) {
                logs.set(place, reread(logs.get(place).part()));
            }
            now = LogSetVersion.of(logs, names.size(), now.hidesPrivate());
        } finally {
            adding.unlock();
        }
    }

    private LogIndex readAgain(LogIndex log) throws IOException {
        log.sealing().disown();
        adding.lock();
        try {
            if (has(log)) {
                now = now.with(now.logs().indexOf(log), reread(log.part()));
            }
            return log;
        } finally {
            adding.unlock();
        }
    }

    /**
     * Checks segments until stopped; returns how many are damaged. A log with damaged facts is read again.
     *
     * @param believed how many segments of a log are not read, from the first
     */
    public int checkSegments(ToIntFunction<LogIndex> believed, BooleanSupplier stopped) throws IOException {
        int damaged = 0;
        for (LogIndex log : now.logs()) {
            boolean readAgain = false;
            for (Segment segment : log.segments().sealable(believed.applyAsInt(log))) {
                if (stopped.getAsBoolean()) {
                    return damaged;
                }
                boolean whole = SegmentSealing.isWhole(segment);
                readAgain |= !whole;
                damaged += log.sealing().isTextWhole(segment) && whole ? 0 : 1;
            }
            if (readAgain) {
                readAgain(log);
            }
        }
        return damaged;
    }

    /** The size of all segment files, in bytes. */
    public long segmentBytes() throws IOException {
        return segments.bytes();
    }

    /** Whether {@link #sealOne} has nothing to do. */
    public boolean isSealed() {
        return replaced.isEmpty() && now.logs().stream().allMatch(LogIndex::isSealed);
    }

    /** Writes one missing segment file, or removes those that are not in use; returns false if neither was done. */
    public boolean sealOne() throws IOException {
        if (!replaced.isEmpty()) {
            sweep();
            return true;
        }
        for (LogIndex log : now.logs()) {
            if (!log.isSealed() && log.sealOne()) {
                return true;
            }
        }
        return false;
    }

    /** Merges full segments of one log; false if there are none to merge. Reading and appending go on. */
    public boolean mergeOne(BooleanSupplier stopped) throws IOException {
        for (LogIndex log : now.logs()) {
            if (!stopped.getAsBoolean() && log.mergeOne(stopped, adding)) {
                return true;
            }
        }
        return false;
    }

    /** Writes the facts of all active segments, for the next opening. */
    public void sealActive() throws IOException {
        adding.lock();
        try {
            for (LogIndex log : now.logs()) {
                log.sealing().sealActive(log.segments());
            }
        } finally {
            adding.unlock();
        }
    }

    /** Ends all writing of segments: once this returns, no thread writes one. */
    public void retire() {
        adding.lock();
        try {
            segments = segments.unwritten();
            for (LogIndex log : now.logs()) {
                log.sealing().retire();
            }
        } finally {
            adding.unlock();
        }
    }

    /** The index of a hot log. */
    public LogIndex log(LogName name) {
        return now.logs().get(places[name.ordinal()]);
    }

    @Override
    public void close() throws IOException {
        adding.lock();
        try {
            for (LogIndex log : now.logs()) {
                log.file().close();
            }
        } finally {
            adding.unlock();
        }
    }
}
