package dev.xmem.core.index;

import dev.xmem.Entry;
import dev.xmem.core.log.LineSink;
import dev.xmem.core.log.LogFile;
import dev.xmem.core.record.LineCodec;
import dev.xmem.core.record.LineFacts;
import dev.xmem.core.record.MalformedLineException;
import dev.xmem.core.words.WordIndex;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** The lines of one log. Fed by one thread at a time through {@link LineSink}; read by any: see the package. */
@SuppressWarnings("NonAtomicVolatileUpdate") // one writer
public final class LogIndex implements LineSink {
    private static final int REPORTED_LINES = 1000;

    private final Object identity = new Object();
    private final LogFile file;
    private final Part part;
    private final Entry.Kind kind;
    private final LineCodec codec;
    private final ToIntFunction<String> linesOfStore;
    private final Columns columns = new Columns();
    private final Digests digests = new Digests();
    private final Tally tally = new Tally();
    private final Map<String, Postings> tools = new ConcurrentHashMap<>();
    private final Map<String, Postings> tags = new ConcurrentHashMap<>();
    private final Map<String, Postings> hashes = new ConcurrentHashMap<>();
    private final Map<String, Postings> sessions = new ConcurrentHashMap<>();
    private final Map<String, Postings> types = new ConcurrentHashMap<>();
    private final Map<String, Postings> ids = new ConcurrentHashMap<>();
    private final Map<String, Postings> dedupeKeys = new ConcurrentHashMap<>();
    private final ConcurrentSkipListSet<String> families = new ConcurrentSkipListSet<>();
    private final Map<String, Postings> answers = new ConcurrentHashMap<>();
    private final Map<String, Postings> targets = new ConcurrentHashMap<>();
    private final Postings events = new Postings();
    private final Map<String, Postings> covered = new ConcurrentHashMap<>();
    private final Map<Integer, Long> occurrences = new ConcurrentHashMap<>();
    private final Postings proven = new Postings();
    private final List<Malformed> malformedLines = new ArrayList<>();
    private volatile long malformed;
    private volatile long repeated;
    private final WordIndex words = new WordIndex();
    private final ReentrantLock addingWords = new ReentrantLock();
    private volatile int wordsEnd;
    private final DayCounter days = new DayCounter();
    private long newestMillis;
    private long horizonMillis = Long.MAX_VALUE;

    /**
     * A line that is no entry.
     *
     * @param offset where it begins, in bytes
     * @param length how long it is, in bytes
     * @param reason what is wrong with it
     */
    public record Malformed(long offset, long length, String reason) {}

    /** An index without lines, of the only log of a store. */
    public LogIndex(LogFile file, Entry.Kind kind, LineCodec codec) {
        this(file, Part.hot(kind, file.path()), codec, id -> 1);
    }

    /**
     * An index without lines.
     *
     * @param linesOfStore how many lines that are shown carry an id, in all logs of this log's owner
     */
    LogIndex(LogFile file, Part part, LineCodec codec, ToIntFunction<String> linesOfStore) {
        this.file = file;
        this.part = part;
        this.kind = part.kind();
        this.codec = codec;
        this.linesOfStore = linesOfStore;
    }

    /** Stands for this index in the keys of caches, which must not keep an index alive that another one took over from. */
    public Object identity() {
        return identity;
    }

    /** The log. */
    public LogFile file() {
        return file;
    }

    /** What the log is for. */
    public Entry.Kind kind() {
        return kind;
    }

    /** Whose lines these are. */
    public Origin origin() {
        return part.origin();
    }

    /** Which log this is. */
    public Part part() {
        return part;
    }

    @Override
    public boolean line(long offset, byte[] buffer, int start, int length, boolean ended) {
        try {
            add(codec.facts(kind, buffer, start, length), offset, buffer, start, length);
            return true;
        } catch (MalformedLineException e) {
            if (ended) {
                malformed(offset, length, e.getMessage());
            }
            return false;
        }
    }

    @Override
    public void malformed(long offset, long length, @Nullable String reason) {
        synchronized (malformedLines) {
            if (malformedLines.size() < REPORTED_LINES) {
                malformedLines.add(new Malformed(offset, length, reason == null ? "cannot be read" : reason));
            }
        }
        malformed = malformed + 1;
    }

    /** Adds a line whose facts are known; false if the same line is already there. */
    public boolean add(LineFacts facts, long offset, byte[] buffer, int start, int length) {
        long digest = Digests.of(buffer, start, length);
        int same = digests.get(digest);
        if (same >= 0 && sameBytes(same, buffer, start, length)) {
            repeated = repeated + 1;
            return false;
        }
        int ordinal = columns.count();
        digests.put(digest, ordinal);
        columns.add(offset, length, facts.tsMillis(), facts.kind(), digest, facts.id());
        put(ids, facts.id(), ordinal);
        put(tools, lower(facts.tool()), ordinal);
        if (put(hashes, facts.ctxHash(), ordinal)) {
            families.add(Objects.requireNonNull(facts.ctxHash()));
        }
        for (String answered : facts.answers()) {
            put(answers, answered, ordinal);
        }
        put(sessions, facts.session(), ordinal);
        for (String session : facts.sessions()) {
            put(sessions, session, ordinal);
        }
        put(types, facts.type(), ordinal);
        put(dedupeKeys, facts.dedupeKey(), ordinal);
        if (facts.target() != null) {
            put(targets, facts.target(), ordinal);
            events.add(ordinal);
        }
        if (facts.proven()) {
            proven.add(ordinal);
        }
        for (String tag : facts.tags()) {
            put(tags, lower(tag), ordinal);
        }
        if (!facts.covers().isEmpty()) {
            covers(facts, ordinal);
        }
        tally.add(facts);
        days.see(facts.id());
        if (facts.tsMillis() <= horizonMillis) {
            newestMillis = Math.max(newestMillis, facts.tsMillis());
        }
        columns.publish();
        return true;
    }

    private void covers(LineFacts facts, int ordinal) {
        occurrences.put(ordinal, facts.occurrences());
        for (String id : facts.covers()) {
            put(covered, id, ordinal);
            days.see(id);
        }
    }

    /** True if the key is a new one. */
    private static boolean put(Map<String, Postings> lists, @Nullable String key, int ordinal) {
        if (key == null) {
            return false;
        }
        Postings list = lists.get(key);
        boolean fresh = list == null;
        if (list == null) {
            list = new Postings();
            lists.put(key, list);
        }
        list.add(ordinal);
        return fresh;
    }

    /** A number made from the bytes of a line, as {@link #digest(int)} gives it. */
    public static long digestOf(byte[] line) {
        return Digests.of(line, 0, line.length);
    }

    /** The ids that a line covers. */
    public List<String> covers(int ordinal) throws IOException {
        return facts(ordinal).covers();
    }

    /** The first line with the digest of these bytes; -1 if there is none. */
    public int withBytes(byte[] line) {
        return withDigest(Digests.of(line, 0, line.length));
    }

    /** The first line with this digest; -1 if there is none. */
    int withDigest(long digest) {
        int ordinal = digests.get(digest);
        return ordinal >= 0 && ordinal < columns.count() && columns.digest(ordinal) == digest ? ordinal : -1;
    }

    private boolean sameBytes(int ordinal, byte[] buffer, int start, int length) {
        if (columns.length(ordinal) != length) {
            return false;
        }
        try {
            return Arrays.equals(bytes(ordinal), 0, length, buffer, start, start + length);
        } catch (IOException e) {
            return false;
        }
    }

    private static @Nullable String lower(@Nullable String text) {
        return text == null ? null : text.toLowerCase(Locale.ROOT);
    }

    /** How many lines there are now. */
    public int count() {
        return columns.count();
    }

    /** The bytes of a line. */
    public byte[] bytes(int ordinal) throws IOException {
        return file.read(columns.offset(ordinal), columns.length(ordinal));
    }

    /** Where a line begins in its file. */
    public long offset(int ordinal) {
        return columns.offset(ordinal);
    }

    /** How long a line is, in bytes without its line end. */
    public int length(int ordinal) {
        return columns.length(ordinal);
    }

    /** The time of a line, in milliseconds since 1970. */
    public long time(int ordinal) {
        return columns.time(ordinal);
    }

    /** What a line is. */
    public Entry.Kind kind(int ordinal) {
        return columns.kind(ordinal);
    }

    /** A number made from the bytes of a line. */
    public long digest(int ordinal) {
        return columns.digest(ordinal);
    }

    /** Whether the lines below this one are in the order of their times. */
    public boolean ascendsBelow(int cutoff) {
        return columns.ascendsBelow(cutoff);
    }

    /** The latest time of a line that is not beyond the horizon. For the thread that adds. */
    public long newestMillis() {
        return newestMillis;
    }

    /** Times beyond this one are taken for somebody's mistake from now on. For the thread that adds. */
    public void horizon(long millis) {
        horizonMillis = millis;
    }

    /** The highest number that an id of this day carries. For the thread that adds. */
    public int highestNumber(String day) {
        return days.highest(day);
    }

    /** The highest number of every day. For the thread that adds. */
    Map<String, Integer> highestNumbers() {
        return days.highest();
    }

    /**
     * The id that a line is shown under: its own, with a suffix where several different lines have it; or one made from
     * its bytes where it has none.
     */
    public String id(int ordinal) {
        String own = columns.id(ordinal);
        if (own == null) {
            return idOf(kind(ordinal), columns.digest(ordinal)) + origin().suffix();
        }
        boolean alone = kind(ordinal) == Entry.Kind.DIRECTIVE || linesOfStore.applyAsInt(own) <= 1;
        String told = alone
                ? own
                : own + "~"
                        + HexFormat.of().toHexDigits(columns.digest(ordinal)).substring(0, 8);
        return told + origin().suffix();
    }

    /** The id that a line without one is shown under. */
    public static String idOf(Entry.Kind kind, byte[] line) {
        return idOf(kind, Digests.of(line, 0, line.length));
    }

    private static String idOf(Entry.Kind kind, long digest) {
        return (kind == Entry.Kind.NOTE ? "note-" : "line-") + HexFormat.of().toHexDigits(digest);
    }

    /** The lines that carry this id. */
    public Postings withId(String id) {
        return ids.getOrDefault(id, Postings.EMPTY);
    }

    /** The lines that say they cover the line with this id. */
    public Postings covering(String id) {
        return covered.getOrDefault(id, Postings.EMPTY);
    }

    /** Whether any line covers another. */
    boolean covers() {
        return !covered.isEmpty();
    }

    /** Every id that is covered. */
    Set<String> covered() {
        return covered.keySet();
    }

    /** Every line that covers others. */
    Set<Integer> coveringLines() {
        return occurrences.keySet();
    }

    /** How often a line happened: more than once where it covers others. */
    public long occurrences(int ordinal) {
        return occurrences.getOrDefault(ordinal, 1L);
    }

    /** The facts of a line, read again. */
    LineFacts facts(int ordinal) throws IOException {
        byte[] line = bytes(ordinal);
        try {
            return codec.facts(kind, line, 0, line.length);
        } catch (MalformedLineException e) {
            throw new IOException(file.path() + " was changed where it was read before", e);
        }
    }

    /** The lines with this tool, in lower case. */
    public Postings withTool(String tool) {
        return tools.getOrDefault(tool.toLowerCase(Locale.ROOT), Postings.EMPTY);
    }

    /** The lines with this tag, in lower case. */
    public Postings withTag(String tag) {
        return tags.getOrDefault(tag.toLowerCase(Locale.ROOT), Postings.EMPTY);
    }

    /** The lines with this context hash. */
    public Postings withHash(String hash) {
        return hashes.getOrDefault(hash, Postings.EMPTY);
    }

    /** The context hashes of a tool: those that begin with its name and a hyphen, in their order. */
    public SortedSet<String> hashesOf(String tool) {
        return Collections.unmodifiableSortedSet(families.subSet(tool + "-", tool + "."));
    }

    /** The successes that say they answer this failure. */
    public Postings answering(String failureId) {
        return answers.getOrDefault(failureId, Postings.EMPTY);
    }

    /** The lines of this session. */
    public Postings withSession(String session) {
        return sessions.getOrDefault(session, Postings.EMPTY);
    }

    /** The lines of this type. */
    public Postings withType(String type) {
        return types.getOrDefault(type, Postings.EMPTY);
    }

    /** The lines with this dedupe key. */
    public Postings withDedupeKey(String key) {
        return dedupeKeys.getOrDefault(key, Postings.EMPTY);
    }

    /** The outcomes and amendments that speak of an entry. */
    public Postings withTarget(String id) {
        return targets.getOrDefault(id, Postings.EMPTY);
    }

    /** Every entry that an outcome or an amendment speaks of. */
    public Set<String> targets() {
        return Collections.unmodifiableSet(targets.keySet());
    }

    /** Whether a line is an outcome or an amendment: no entry of its own, but a word about one. */
    public boolean isEvent(int ordinal) {
        return kind(ordinal) == Entry.Kind.OTHER && events.contains(ordinal);
    }

    /** The id in the line itself; null if it has none. */
    public @Nullable String ownId(int ordinal) {
        return columns.id(ordinal);
    }

    /** The successes whose own line proves them. */
    public Postings proven() {
        return proven;
    }

    /** Every context hash with its lines. */
    public void hashes(BiConsumer<String, Postings> each) {
        hashes.forEach(each);
    }

    /** The words of all lines below a count. Words are indexed when a request first needs them, not when a line is added. */
    public WordIndex words(int count) throws IOException {
        if (wordsEnd < count) {
            addingWords.lock();
            try {
                for (int ordinal = wordsEnd; ordinal < count; ordinal++) {
                    if (!isEvent(ordinal)) {
                        byte[] line = bytes(ordinal);
                        words.add(ordinal, fields -> FieldClasses.visit(codec, line, fields));
                    }
                    wordsEnd = ordinal + 1;
                }
            } finally {
                addingWords.unlock();
            }
        }
        return words;
    }

    /** The totals of all lines. */
    Tally tally() {
        return tally;
    }

    /** How many lines are no entries. */
    public long malformed() {
        return malformed;
    }

    /** How many lines are repetitions of another. */
    public long repeated() {
        return repeated;
    }

    /** The lines that are no entries, at most a thousand of them. */
    public List<Malformed> malformedLines() {
        synchronized (malformedLines) {
            return List.copyOf(malformedLines);
        }
    }
}
