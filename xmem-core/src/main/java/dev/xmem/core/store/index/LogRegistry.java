package dev.xmem.core.store.index;

import dev.xmem.core.base.config.LogDescriptor;
import dev.xmem.core.base.config.LogName;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.store.log.LogFile;
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
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * All logs of a store and their indexes, kept in step with the files: its own <em>hot</em> ones, which are appended to,
 * those that peers published, and its archives, which are read when somebody first asks for the {@link #whole} store.
 * {@link #refreshed} is what every query begins with: one look at each file tells whether another process appended, and only
 * then is anything read. {@link #lock} is held by whoever adds lines.
 *
 * <p>The set of logs is replaced as a whole when one of them turns out to be another file than before; a reader goes on
 * with the set it has.
 */
public final class LogRegistry implements Closeable {
    private static final long DAY_MILLIS = 86_400_000;
    private static final int TRIES = 3;

    private final ReentrantLock adding = new ReentrantLock();
    private final Function<LogDescriptor, LogFile> opener;
    private final LineCodec codec;
    private volatile SegmentStore segments;
    private final InstantSource clock;
    private final List<LogName> names;
    /** Where in a set each hot log is, by its ordinal. */
    private final int[] places;

    private final AuxiliaryLogs further;
    private volatile LogSetVersion now;
    /** Indexes that others took over from, and that may still be writing segments. */
    private final Queue<LogIndex> replaced = new ConcurrentLinkedQueue<>();

    /** The hot logs and the others; a catalog knows nothing until {@link #refreshed} reads the files. */
    public LogRegistry(
            Map<LogName, Path> hot,
            AuxiliaryLogs further,
            Function<LogDescriptor, LogFile> opener,
            LineCodec codec,
            SegmentStore segments,
            InstantSource clock) {
        this.names = List.copyOf(new TreeSet<>(hot.keySet()));
        this.places = new int[LogName.values().length];
        for (LogName name : names) {
            places[name.ordinal()] = names.indexOf(name);
        }
        this.opener = opener;
        this.codec = codec;
        this.segments = segments;
        this.clock = clock;
        this.further = further;
        this.now = LogSetVersion.ofHot(List.of());
        List<LogIndex> logs = new ArrayList<>();
        for (LogName name : names) {
            logs.add(fresh(LogDescriptor.hot(name.kind(), Objects.requireNonNull(hot.get(name)))));
        }
        this.now = LogSetVersion.ofHot(List.copyOf(logs));
    }

    private LogIndex fresh(LogDescriptor part) {
        return new LogIndex(
                opener.apply(part),
                part,
                codec,
                segments,
                id -> now.linesWithId(id, part.origin().replica()));
    }

    /** The hot logs of this store, in their order. */
    public List<LogName> names() {
        return names;
    }

    /** What is known now but for archives, without a look at the files. */
    public StoreSnapshot snapshot() {
        return now.snapshot(false, further.archives().isEmpty());
    }

    /** What is known after a look at the files, but for archives. */
    public StoreSnapshot refreshed() throws IOException {
        look(false);
        return snapshot();
    }

    /** Everything, archives too, after a look at the files. */
    public StoreSnapshot whole() throws IOException {
        LogSetVersion known = look(true);
        return known.snapshot(true, true);
    }

    private LogSetVersion look(boolean archives) throws IOException {
        LogSetVersion known = now;
        if (!looksChanged(known, archives)) {
            return known;
        }
        adding.lock();
        try {
            refresh(names);
            learnFurther(archives);
            return now;
        } finally {
            adding.unlock();
        }
    }

    private boolean looksChanged(LogSetVersion known, boolean archives) throws IOException {
        if (further.changed() || archives && !known.archives().equals(further.archives())) {
            return true;
        }
        for (LogIndex log : known.upTo(archives)) {
            if (log.file().looksChanged()) {
                return true;
            }
        }
        return false;
    }

    /** Everything after a look at the files, unless somebody is adding: then what is known now. Waits for nobody. */
    public StoreSnapshot wholeIfFree() throws IOException {
        if (looksChanged(now, true) && adding.tryLock()) {
            try {
                refresh(names);
                learnFurther(true);
            } finally {
                adding.unlock();
            }
        }
        LogSetVersion known = now;
        return known.snapshot(true, known.archives().equals(further.archives()));
    }

    /** Keeps others from adding. */
    public void lock() {
        adding.lock();
    }

    /** Lets others add. */
    public void unlock() {
        adding.unlock();
    }

    /** Reads what others appended to these hot logs. The caller holds {@link #lock}. */
    public void refresh(List<LogName> of) throws IOException {
        for (LogName name : of) {
            refresh(places[name.ordinal()]);
        }
    }

    private void refresh(int place) throws IOException {
        LogIndex log = now.logs().get(place);
        int known = log.count();
        log.maxPlausibleTime(clock.millis() + DAY_MILLIS);
        if (log.refresh() == LogFile.Change.REPLACED) {
            replaced.add(log);
            now = now.with(place, reread(log.part()));
        } else if (log.count() > known) {
            now.settle(place, known);
        }
    }

    /** A log from its beginning; nobody sees it before it is read. */
    private LogIndex reread(LogDescriptor part) throws IOException {
        for (int i = 0; i < TRIES; i++) {
            LogIndex log = fresh(part);
            log.maxPlausibleTime(clock.millis() + DAY_MILLIS);
            if (log.refresh() != LogFile.Change.REPLACED) {
                return log;
            }
        }
        throw new IOException(part.file() + " is being rewritten by somebody; try again");
    }

    private void learnFurther(boolean archives) throws IOException {
        if (further.changed()) {
            further.list();
        }
        List<LogDescriptor> wanted = new ArrayList<>(further.peers());
        wanted.addAll(archives ? further.archives() : now.archives());
        if (!wanted.equals(now.further())) {
            List<LogIndex> logs = new ArrayList<>(now.logs().subList(0, names.size()));
            for (LogDescriptor part : wanted) {
                LogIndex known = now.find(part);
                logs.add(known == null ? reread(part) : known);
            }
            now = LogSetVersion.of(logs, names.size());
        }
        for (int place = names.size(); place < now.upTo(archives).size(); place++) {
            refresh(place);
        }
    }

    /** What was added to a hot log with an id that somebody gave may stand elsewhere too. The caller holds {@link #lock}. */
    public void added(LogName name, int from) throws IOException {
        now.settle(places[name.ordinal()], from);
    }

    /** The store's own logs: the hot ones, and the archives as far as they were read. The caller holds {@link #lock}. */
    public List<LogIndex> own() {
        return now.logs().stream().filter(log -> log.origin().own()).toList();
    }

    /** The index of a log, of a file that will be renamed to it. */
    public LogIndex ahead(LogIndex of, Path temporary) throws IOException {
        LogIndex log = fresh(of.part());
        log.maxPlausibleTime(clock.millis() + DAY_MILLIS);
        log.learnAhead(temporary);
        return log;
    }

    /** The highest number that ids of each day have in a log. */
    public Map<String, Integer> highestNumbers(LogIndex log) {
        adding.lock();
        try {
            return log.highestNumbers();
        } finally {
            adding.unlock();
        }
    }

    /** Whether a log is still the one that others append to, or read. */
    public boolean has(LogIndex log) {
        return now.logs().contains(log);
    }

    /**
     * The logs with another in the place of one.
     *
     * @param base which logs these are otherwise
     * @param before which log goes
     * @param after which one comes
     * @param next the logs then
     * @param counts how many lines of each were looked at
     */
    public record Swap(LogSetVersion base, LogIndex before, LogIndex after, LogSetVersion next, List<Integer> counts) {}

    /** Finds out what is hidden when another index takes the place of one, while others go on adding. */
    public Swap prepare(LogIndex before, LogIndex after) throws IOException {
        LogSetVersion base = now;
        List<LogIndex> logs = new ArrayList<>(base.logs());
        logs.replaceAll(log -> log == before ? after : log);
        List<Integer> counts = logs.stream().map(LogIndex::count).toList();
        int place = base.logs().indexOf(before);
        // Where another process replaced the log there is nothing to prepare: see has.
        return new Swap(base, before, after, place < 0 ? base : base.with(place, after), counts);
    }

    /** Puts an index in the place of the one of the file before. The caller holds {@link #lock}. */
    @SuppressWarnings("ReferenceEquality") // a set is replaced as a whole
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

    /** Removes segments that are not of the lines there are. */
    public void sweep() throws IOException {
        for (LogIndex before = replaced.poll(); before != null; before = replaced.poll()) {
            before.retire();
        }
        for (LogIndex log : now.logs()) {
            log.sweep();
        }
    }

    /** Reads every log whose bytes are not those that its segments were made of, until it is stopped; returns which. */
    public List<LogIndex> readAgainWhatChanged(BooleanSupplier stopped) throws IOException {
        List<LogIndex> changed = new ArrayList<>();
        for (LogIndex log : now.logs()) {
            if (!log.isAsIndexed(stopped)) {
                readAgain(log);
                changed.add(log);
            }
        }
        return changed;
    }

    /** What segments tell is not so, whatever their checksums say: reads all logs, and lets new ones be made. */
    public void distrustSegments() throws IOException {
        adding.lock();
        try {
            now.logs().forEach(LogIndex::retire);
            segments = segments.distrusted();
            List<LogIndex> logs = new ArrayList<>();
            for (LogIndex log : now.logs()) {
                logs.add(reread(log.part()));
            }
            now = LogSetVersion.of(logs, names.size());
        } finally {
            adding.unlock();
        }
    }

    private void readAgain(LogIndex log) throws IOException {
        log.disown();
        adding.lock();
        try {
            if (has(log)) {
                now = now.with(now.logs().indexOf(log), reread(log.part()));
            }
        } finally {
            adding.unlock();
        }
    }

    /** Looks at all segments, until it is stopped; returns how many are damaged, which are of no use from now on. */
    public int checkSegments(BooleanSupplier stopped) throws IOException {
        int damaged = 0;
        for (LogIndex log : now.logs()) {
            damaged += log.checkSegments(stopped);
        }
        return damaged;
    }

    /** How many bytes the segments of all logs take. */
    public long segmentBytes() throws IOException {
        return segments.bytes();
    }

    /** Whether every full stretch of every log is sealed. */
    public boolean isSealed() {
        return replaced.isEmpty() && now.logs().stream().allMatch(LogIndex::isSealed);
    }

    /** Writes one segment that is not there yet, or removes those that are of no use any more; false if neither was done. */
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

    /** Writes what is known of the newest lines, for the next opening. */
    public void sealGrowing() throws IOException {
        adding.lock();
        try {
            for (LogIndex log : now.logs()) {
                log.sealGrowing();
            }
        } finally {
            adding.unlock();
        }
    }

    /** When this returns, no segment is written any more, whoever is at it. */
    public void retire() {
        adding.lock();
        try {
            segments = segments.unwritten();
            now.logs().forEach(LogIndex::retire);
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
