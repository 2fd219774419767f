package dev.xmem.core.answer.recall;

import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Success;
import dev.xmem.core.answer.outcome.EntryState;
import dev.xmem.core.answer.recall.RecallContext.Occurrence;
import dev.xmem.core.answer.render.AdviceText.EntryAdvice;
import dev.xmem.core.base.io.ByteCache;
import dev.xmem.core.base.json.StoredEntries;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.store.segment.IndexedField;
import dev.xmem.core.store.segment.Postings;
import dev.xmem.core.text.hash.RecallQuery;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The newest entries with one context hash and its newest lessons, the votes on them, and how often the hash was seen.
 * A digest is cached, and holds until a line is added to a log or an entry is hidden or shown again. The next one is
 * then made of it and the lines that are new. It has no reference to a log, and is immutable but for the texts that it
 * keeps. Decision: docs/adr/0090-lines-in-one-pass.md.
 */
final class FamilyDigest {
    /** The most lines that are read from a log; older lines without a lesson only count as occurrences. */
    private static final int MAX_READ = 70;

    /** How many lessons of a log are read, if it has so many, however old they are. */
    private static final int LESSONS = 16;

    private static final int LINE_BYTES = 450;

    private final ByteCache.Key key;
    private final Object amendments;
    private final boolean whole;
    private final List<Part> parts;
    private final boolean sameEvents;
    private long latest;

    final List<Line> failures = new ArrayList<>();
    final List<Line> successes = new ArrayList<>();
    /** The number of this store's failures in each session that is known by name. */
    final Map<String, Integer> failuresBySession = new HashMap<>();

    /** This store's sessions; each failure without a session counts as one. */
    final Set<String> independentSessions = new HashSet<>();

    private final Set<String> peers = new HashSet<>();
    /** What the failures were about. */
    final Set<String> subjects = new HashSet<>();

    /** By subject: those of {@link #subjects}, and none. */
    private final Map<String, ToldAdvice> told = new ConcurrentHashMap<>();

    private long occurrences;
    /** The occurrences whose sessions were read. */
    private long occurrencesRead;

    private long peerOccurrences;
    private long withoutSession;
    /** The time of the newest failure in milliseconds; 0 if no time is known. */
    long lastMillis;

    private long lastOwnMillis;
    /** The number of named sessions in which the failure occurred more than once. */
    int repeated;

    /** Whether any of the failures says that it is critical. */
    boolean critical;

    private int bytes;

    /**
     * A line that was read.
     *
     * @param state the votes and amendments of its entry
     * @param says what advice says of its entry with these
     * @param subject what its failure was about; empty if that is not known
     * @param retry whether it is a success with the mark of a recorded retry
     */
    record Line(int ordinal, Occurrence occurrence, EntryState state, EntryAdvice says, String subject, boolean retry) {
        Entry entry() {
            return occurrence.entry();
        }
    }

    /**
     * The lines of one log.
     *
     * @param log the identity of the log
     * @param count the number of lines of the log
     * @param shadowed the shadowed lines of the log
     * @param events the number of lines that are events of any entry
     * @param n the number of lines with the hash
     * @param plain whether each of them is shown and is one occurrence
     * @param ascends whether the times of the log ascend
     * @param seen the occurrences, if the log is for failures
     * @param lines the newest ones that are shown
     * @param older lessons that are shown and older than those, newest first
     */
    private record Part(
            Object log,
            int count,
            @Nullable Object shadowed,
            int events,
            int n,
            boolean plain,
            boolean ascends,
            long seen,
            List<Line> lines,
            List<Line> older) {
        boolean isOf(LogSnapshot snapshot) {
            return log == snapshot.index().identity() && shadowed == snapshot.shadowedState();
        }
    }

    /** The digest of a hash in the snapshot of a recall. */
    static FamilyDigest of(RecallContext context, String hash) throws IOException {
        ByteCache.Key key = new ByteCache.Key(context.entries(), hash);
        FamilyDigest known = (FamilyDigest) context.cache().get(key);
        if (known != null && known.holds(context)) {
            return known;
        }
        FamilyDigest digest = new FamilyDigest(context, key, known);
        if (digest.latest <= context.maxMillis()) {
            context.cache().put(key, digest, digest.bytes);
        }
        return digest;
    }

    /** How often this store saw the failure. */
    int occurrences() {
        return (int) Math.min(Integer.MAX_VALUE, occurrences);
    }

    /** How often peers say that they saw it: their lines, and the lines that these name as covered. */
    int peerOccurrences() {
        return (int) Math.min(Integer.MAX_VALUE, peerOccurrences);
    }

    /** The number of sessions of the newest failures; each failure without a session counts as one, as does a peer. */
    int sessions() {
        return (int) Math.min(Integer.MAX_VALUE, failuresBySession.size() + withoutSession + peers.size());
    }

    /** Whether this store's failures have more lines than were read, and perhaps more sessions. */
    boolean hasMoreSessions() {
        return occurrences > occurrencesRead;
    }

    /** The time of this store's newest failure; if it has none, that of the peers' newest one. */
    long lastOwnMillis() {
        return lastOwnMillis > 0 ? lastOwnMillis : lastMillis;
    }

    /** What was told of a subject and is still true; null if nothing is. */
    @Nullable ToldAdvice told(String subject, Instant now) {
        ToldAdvice known = told.get(subject);
        return known != null && known.holds(now) ? known : null;
    }

    /** Keeps what was told of a subject, if the digest is cached. */
    void keep(ByteCache cache, String subject, ToldAdvice advice) {
        if (cache.get(key) == this) {
            told.put(subject, advice);
            long all = bytes;
            for (ToldAdvice each : told.values()) {
                all += each.bytes();
            }
            cache.put(key, this, (int) Math.min(Integer.MAX_VALUE, all));
        }
    }

    private boolean isComparable(RecallContext context) {
        return amendments == context.amendments().identity()
                && whole == context.snapshot().whole()
                && parts.size() == context.snapshot().logs().size()
                && latest <= context.maxMillis();
    }

    private boolean holds(RecallContext context) {
        boolean holds = isComparable(context);
        for (int i = 0; holds && i < parts.size(); i++) {
            LogSnapshot log = context.snapshot().logs().get(i);
            holds = parts.get(i).isOf(log) && parts.get(i).count == log.count();
        }
        return holds;
    }

    private FamilyDigest(RecallContext context, ByteCache.Key key, @Nullable FamilyDigest known) throws IOException {
        this.key = key;
        amendments = context.amendments().identity();
        whole = context.snapshot().whole();
        List<LogSnapshot> logs = context.snapshot().logs();
        List<@Nullable Part> before = new ArrayList<>(logs.size());
        boolean comparable = known != null && known.isComparable(context);
        boolean same = comparable;
        latest = comparable && known != null ? known.latest : 0;
        for (int i = 0; i < logs.size(); i++) {
            Part part = comparable && known != null ? known.parts.get(i) : null;
            before.add(part != null && part.isOf(logs.get(i)) ? part : null);
            same &= part != null
                    && part.log == logs.get(i).index().identity()
                    && part.events == events(logs.get(i))
                    && !logs.get(i).index().covers();
        }
        sameEvents = same;
        parts = new ArrayList<>(logs.size());
        for (int i = 0; i < logs.size(); i++) {
            Part part = part(context, logs.get(i), key.name(), before.get(i));
            parts.add(part);
            add(logs.get(i), part);
        }
        for (int times : failuresBySession.values()) {
            repeated += times > 1 ? 1 : 0;
        }
    }

    private static int events(LogSnapshot log) {
        return log.index().lines().postings(IndexedField.EVENT, "").countBelow(log.count());
    }

    private Part part(RecallContext context, LogSnapshot log, String hash, @Nullable Part before) throws IOException {
        Object shadowed = log.shadowedState();
        Postings lines = log.index().withHash(hash);
        int n = lines.countBelow(log.count());
        boolean plain = context.isPlain(log);
        boolean ascends = log.index().statistics().times().ascendsBelow(log.count());
        boolean own = log.index().origin().own();
        Part old = before != null && before.plain == plain && before.ascends == ascends ? before : null;
        int known = old != null && (old.n == n || own && ascends && old.n < n) ? old.n : 0;
        boolean counts = log.index().kind() == Entry.Kind.FAILURE;
        long seen = counts && plain ? n : known > 0 && old != null ? old.seen : 0;
        List<Line> read = new ArrayList<>();
        int from = plain && own && ascends ? Math.max(known, n - MAX_READ) : known;
        for (int ordinal : newestFirst(context, log, lines, ascends, from, n)) {
            if (plain && read.size() >= MAX_READ) {
                break;
            }
            if (context.shows(log, ordinal)) {
                seen += counts && !plain ? log.index().lines().occurrences(ordinal) : 0;
                if (read.size() < MAX_READ) {
                    read.add(line(context, ordinal, context.line(log.index(), ordinal)));
                }
            }
        }
        for (int i = 0; known > 0 && old != null && i < old.lines.size() && read.size() < MAX_READ; i++) {
            read.add(again(context, log, old.lines.get(i)));
        }
        Part reused = known > 0 ? old : null;
        List<Line> older = n > read.size() ? olderLessons(context, log, lines, known, read, reused) : List.of();
        Object identity = log.index().identity();
        return new Part(
                identity, log.count(), shadowed, events(log), n, plain, ascends, seen, List.copyOf(read), older);
    }

    /** The newest lessons that were not read, as many as {@link #LESSONS} leaves beside those that were. */
    private List<Line> olderLessons(
            RecallContext context, LogSnapshot log, Postings lines, int known, List<Line> read, @Nullable Part old)
            throws IOException {
        Postings lessons = log.index().lines().postings(IndexedField.PROVEN, IndexedField.LESSON);
        int n = lines.countBelow(log.count());
        int all = lessons.countBelow(log.count());
        Set<Integer> have = new HashSet<>();
        int most = all == 0 ? 0 : LESSONS;
        for (Line line : read) {
            have.add(line.ordinal);
            most -= lessons.contains(line.ordinal) ? 1 : 0;
        }
        List<Line> older = new ArrayList<>();
        Postings few = all < n ? lessons : lines;
        Postings many = all < n ? lines : lessons;
        int first = known < n ? lines.at(known) : Integer.MAX_VALUE;
        for (int i = Math.min(all, n) - 1; i >= 0 && few.at(i) >= first && older.size() < most; i--) {
            int ordinal = few.at(i);
            if (many.contains(ordinal) && !have.contains(ordinal) && context.shows(log, ordinal)) {
                older.add(line(context, ordinal, context.line(log.index(), ordinal)));
            }
        }
        if (old != null) {
            for (Line line : old.lines) {
                if (older.size() < most && !have.contains(line.ordinal) && lessons.contains(line.ordinal)) {
                    older.add(again(context, log, line));
                }
            }
            for (int i = 0; i < old.older.size() && older.size() < most; i++) {
                older.add(again(context, log, old.older.get(i)));
            }
        }
        return List.copyOf(older);
    }

    private static Line line(RecallContext context, int ordinal, Occurrence read) throws IOException {
        EntryState state = context.state(read.entry());
        String subject = StoredEntries.field(read.entry(), "subject");
        Entry folded = context.outcomes().folded(read.entry(), state);
        boolean retry = read.entry() instanceof Success success && RecallQuery.isMarkedAsRetry(success);
        return new Line(ordinal, read, state, new EntryAdvice(folded), subject == null ? "" : subject, retry);
    }

    /** A line that is known: read again only if its entry is shown under another id now. */
    private Line again(RecallContext context, LogSnapshot log, Line known) throws IOException {
        if (!context.entries().isCurrent(log.index(), known.ordinal, known.entry())) {
            return line(context, known.ordinal, context.line(log.index(), known.ordinal));
        }
        return sameEvents ? known : line(context, known.ordinal, known.occurrence);
    }

    /**
     * The lines from a place on by time; lines of one time, and all lines of a log whose times ascend, by position. A
     * peer's share is bounded.
     */
    private Iterable<Integer> newestFirst(
            RecallContext context, LogSnapshot log, Postings lines, boolean ascends, int from, int n) {
        boolean own = log.index().origin().own();
        if (ascends && own) {
            return () ->
                    IntStream.range(0, n - from).map(i -> lines.at(n - 1 - i)).iterator();
        }
        List<Integer> newest = new ArrayList<>(n - from);
        for (int i = n - 1; i >= from; i--) {
            newest.add(lines.at(i));
            latest = Math.max(latest, log.index().lines().time(lines.at(i)));
        }
        if (!ascends) {
            newest.sort(Comparator.comparingLong((Integer line) -> context.millis(log.index(), line))
                    .reversed());
        }
        return RecallContext.fairly(log.index(), newest, line -> line);
    }

    private void add(LogSnapshot log, Part part) {
        boolean counts = log.index().kind() == Entry.Kind.FAILURE;
        long seen = part.seen;
        for (Line line : part.lines) {
            add(log, line);
            if (line.entry() instanceof Failure) {
                // another program put it into a log of another kind
                seen += counts ? 0 : line.occurrence.occurrences();
                count(line.occurrence);
                lastMillis = Math.max(lastMillis, line.occurrence.millis());
            }
        }
        for (Line line : part.older) {
            add(log, line);
        }
        if (log.index().origin().own()) {
            occurrences += seen;
        } else {
            peerOccurrences += seen;
        }
    }

    private void add(LogSnapshot log, Line line) {
        latest = Math.max(latest, log.index().lines().time(line.ordinal));
        long entryBytes = 3L * StoredEntries.bytes(line.entry()) + StoredEntries.bytes(line.says.entry());
        long more = LINE_BYTES + entryBytes + line.says.bytes();
        bytes = (int) Math.min(Integer.MAX_VALUE, bytes + more);
        if (line.entry() instanceof Failure failure) {
            critical |= failure.blockLevel() == Failure.BlockLevel.CRITICAL;
            failures.add(line);
            subjects.add(line.subject);
        } else if (line.entry() instanceof Success) {
            successes.add(line);
        }
    }

    /** Counts a failure of this store by its sessions, and any number of a peer as one session. */
    private void count(Occurrence line) {
        if (!line.owner().own()) {
            peers.add(line.owner().replica());
            return;
        }
        lastOwnMillis = Math.max(lastOwnMillis, line.millis());
        occurrencesRead += line.occurrences();
        Set<String> sessions = StoredEntries.sessions(line.entry());
        withoutSession += sessions.isEmpty() ? line.occurrences() : 0;
        for (String session : sessions) {
            failuresBySession.merge(session, 1, Integer::sum);
        }
        independentSessions.addAll(StoredEntries.independentSessions(line.entry()));
    }
}
