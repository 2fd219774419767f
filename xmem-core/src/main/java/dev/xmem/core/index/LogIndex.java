package dev.xmem.core.index;

import dev.xmem.Entry;
import dev.xmem.core.log.LineSink;
import dev.xmem.core.log.LogFile;
import dev.xmem.core.record.LineCodec;
import dev.xmem.core.record.LineFacts;
import dev.xmem.core.record.MalformedLineException;
import dev.xmem.core.segment.Blocks;
import dev.xmem.core.segment.Field;
import dev.xmem.core.segment.Joined;
import dev.xmem.core.segment.Lines;
import dev.xmem.core.segment.Postings;
import dev.xmem.core.segment.SealedLines;
import dev.xmem.core.segment.Trigrams;
import dev.xmem.core.words.WordIndex;
import dev.xmem.core.words.WordSearch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The lines of one log: sealed stretches of equal length, then the {@link Tail}. Fed by one thread at a time through {@link
 * LineSink}; read by any: see the package.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // one writer
public final class LogIndex implements LineSink {
    private static final int MOST_UNSEALED = 2;
    private static final String ANY = "";
    private static final byte[] NONE = {};
    /** A tail of fewer lines is looked through. */
    private static final int LARGE_TAIL = 512;

    private static final int BLOCK_SHIFT = Integer.numberOfTrailingZeros(Trigrams.BLOCK_LINES);

    private final Object identity = new Object();
    private final LogFile file;
    private final Part part;
    private final LineCodec codec;
    private final ToIntFunction<String> linesOfStore;
    private volatile Segments segments;
    private final int shift;
    private final int mask;
    private final Totals totals = new Totals();
    private final ReentrantLock sealing = new ReentrantLock();
    private final ReentrantLock addingWords = new ReentrantLock();
    private volatile State state;
    /** Which of the rare fields any line has, one bit each: targets, covered ids, hashes of another hasher. */
    private volatile int fields;

    private boolean restored;
    private int firstDisorder = Integer.MAX_VALUE;
    private long lastMillis = Long.MIN_VALUE;
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

    /** The stretches at one time: those that are full, and the one that grows. */
    private record State(List<Stretch> full, Tail tail) {}

    /**
     * An index without lines.
     *
     * @param linesOfStore how many lines that are shown carry an id, in all logs of this log's owner
     */
    LogIndex(LogFile file, Part part, LineCodec codec, Segments segments, ToIntFunction<String> linesOfStore) {
        this.file = file;
        this.part = part;
        this.codec = codec;
        this.segments = segments;
        this.shift = Integer.numberOfTrailingZeros(segments.stretchLines());
        this.mask = segments.stretchLines() - 1;
        this.linesOfStore = linesOfStore;
        this.state = new State(List.of(), new Tail(0));
    }

    /** Reads what is new in the log; the first time, what segments tell of it is not read again. */
    LogFile.Change learn() throws IOException {
        if (!restored) {
            restored = true;
            restore();
        }
        return file.learn(this);
    }

    /** Reads a file that will be renamed to the log. */
    void learnAhead(Path temporary) throws IOException {
        restored = true;
        file.learnAhead(temporary, this);
    }

    private void restore() throws IOException {
        List<Stretch> known = segments.restore(file);
        try {
            sweep(known);
        } catch (IOException e) {
            // somebody still reads them, or may not remove them: they are of no use and do no harm
        }
        if (known.isEmpty()) {
            return;
        }
        for (Stretch stretch : known) {
            Lines lines = stretch.lines();
            totals.add(stretch.totals());
            fields = fields
                    | (lines.has(Field.TARGET) ? bit(Field.TARGET) : 0)
                    | (lines.has(Field.COVERED) ? bit(Field.COVERED) : 0)
                    | (lines.has(Field.CURRENT_HASH) ? bit(Field.CURRENT_HASH) : 0);
            for (int line = 0; line < lines.count(); line++) {
                see(lines.time(line), (stretch.number() << shift) + line);
            }
        }
        long to = known.get(known.size() - 1).to();
        file.resume(to);
        state = new State(List.copyOf(known), new Tail(to));
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
        return part.kind();
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
            LineFacts facts = codec.facts(kind(), buffer, start, length);
            byte[] line = segments.rehash().hasher() == null ? NONE : Arrays.copyOfRange(buffer, start, start + length);
            String hash = segments.rehash().of(facts.kind(), line);
            boolean same = hash == null || hash.equals(facts.ctxHash());
            add(facts, same ? null : hash, offset, buffer, start, length);
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
        Malformed line = new Malformed(offset, length, reason == null ? "cannot be read" : reason);
        totals.malformed(line);
        state.tail.totals().malformed(line);
    }

    /** Adds a line whose facts are known, and that the hasher in use hashed; false if the same line is already there. */
    public boolean add(LineFacts facts, long offset, byte[] buffer, int start, int length) {
        return add(facts, null, offset, buffer, start, length);
    }

    private boolean add(
            LineFacts facts, @Nullable String currentHash, long offset, byte[] buffer, int start, int length) {
        long digest = Digests.of(buffer, start, length);
        int same = withDigest(digest, facts.id());
        if (same >= 0 && sameBytes(same, buffer, start, length)) {
            totals.repeated();
            state.tail.totals().repeated();
            return false;
        }
        if (state.tail.count() == segments.stretchLines()) {
            close(offset);
        }
        see(facts.tsMillis(), count());
        totals.add(facts);
        if (facts.target() != null) {
            fields = fields | bit(Field.TARGET);
        }
        if (!facts.covers().isEmpty()) {
            fields = fields | bit(Field.COVERED);
        }
        if (currentHash != null) {
            fields = fields | bit(Field.CURRENT_HASH);
        }
        state.tail.add(facts, offset, length, digest, currentHash);
        return true;
    }

    private void see(long millis, int ordinal) {
        if (millis < lastMillis && firstDisorder == Integer.MAX_VALUE) {
            firstDisorder = ordinal;
        }
        lastMillis = millis;
        if (millis <= horizonMillis) {
            newestMillis = Math.max(newestMillis, millis);
        }
    }

    /** Begins a new tail with the line at an offset. Where many lines come at once, memory is not filled with old ones. */
    private void close(long offset) {
        State now = state;
        List<Stretch> full = new ArrayList<>(now.full);
        full.add(new Stretch(full.size(), now.tail, offset, now.tail.chain(chainBefore(now), now.tail.count())));
        state = new State(Collections.unmodifiableList(full), new Tail(offset));
        if (full.stream().filter(stretch -> stretch.name() == null).count() > MOST_UNSEALED) {
            full.stream().filter(stretch -> stretch.name() == null).findFirst().ifPresent(this::sealIfThereIsRoom);
        }
    }

    private static long chainBefore(State state) {
        int full = state.full.size();
        return full == 0 ? 0 : state.full.get(full - 1).chain();
    }

    /** A number made from the bytes of all lines below this one, in their order. */
    public long chain(int cutoff) {
        State now = state;
        int stretch = cutoff >> shift;
        if (stretch >= now.full.size()) {
            return now.tail.chain(chainBefore(now), cutoff - (now.full.size() << shift));
        }
        long chain = stretch == 0 ? 0 : now.full.get(stretch - 1).chain();
        for (int line = 0; line < (cutoff & mask); line++) {
            chain = Columns.next(chain, now.full.get(stretch).lines().digest(line));
        }
        return chain;
    }

    /** Whether {@link #sealOne} has something to do. */
    boolean isSealed() {
        for (Stretch stretch : state.full) {
            if (segments.writes() && (stretch.name() == null || !stretch.hasText())) {
                return false;
            }
        }
        return true;
    }

    /** Writes a segment of a stretch that has none, the oldest first. */
    void sealOne() throws IOException {
        for (Stretch stretch : state.full) {
            if (stretch.name() == null) {
                seal(stretch);
                return;
            }
        }
        for (Stretch stretch : state.full) {
            if (!stretch.hasText()) {
                text(stretch);
                return;
            }
        }
    }

    private void seal(Stretch stretch) throws IOException {
        sealing.lock();
        try {
            segments.seal(file, stretch);
        } finally {
            sealing.unlock();
        }
    }

    private void sealIfThereIsRoom(Stretch stretch) {
        try {
            seal(stretch);
        } catch (IOException e) {
            // it stays in memory
        }
    }

    /** Another index took its place: when this returns, it writes no segment any more. */
    void retire() {
        addingWords.lock();
        sealing.lock();
        try {
            segments = segments.unwritten();
        } finally {
            sealing.unlock();
            addingWords.unlock();
        }
    }

    /** What its segments tell is not so: they are removed, and none is written any more. */
    void disown() throws IOException {
        Segments before = segments;
        retire();
        before.sweep(file, List.of());
    }

    /** The stretches that are full. */
    List<Stretch> sealed() {
        return state.full;
    }

    /** Removes segments of this log that are not of these stretches. */
    void sweep(List<Stretch> kept) throws IOException {
        segments.sweep(file, kept);
    }

    /** Whether all sealed stretches are of the bytes that the log has; a log that was edited in place has others. */
    boolean isAsIndexed() throws IOException {
        for (Stretch stretch : state.full) {
            if (!segments.covers(file, stretch)) {
                return false;
            }
        }
        return true;
    }

    private Lines lines(int ordinal) {
        State now = state;
        int stretch = ordinal >> shift;
        return stretch < now.full.size() ? now.full.get(stretch).lines() : now.tail;
    }

    private Postings rare(Field field, String key) {
        return has(field) ? postings(field, key) : Postings.EMPTY;
    }

    private Postings postings(Field field, String key) {
        State now = state;
        if (now.full.isEmpty()) {
            return now.tail.lines(field, key);
        }
        Joined.Builder all = new Joined.Builder();
        for (Stretch stretch : now.full) {
            add(stretch.lines().lines(field, key), stretch.number() << shift, all);
        }
        add(now.tail.lines(field, key), now.full.size() << shift, all);
        return all.build();
    }

    private static void add(Postings lines, int base, Joined.Builder all) {
        if (lines != Postings.EMPTY) {
            all.add(base, lines);
        }
    }

    private SortedSet<String> keys(Field field, String prefix) {
        State now = state;
        TreeSet<String> keys = new TreeSet<>();
        now.full.forEach(stretch -> stretch.lines().keys(field, prefix, keys::add));
        now.tail.keys(field, prefix, keys::add);
        return keys;
    }

    private boolean has(Field field) {
        return (fields & bit(field)) != 0;
    }

    private static int bit(Field field) {
        return 1 << field.ordinal();
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
        State now = state;
        for (Stretch stretch : now.full) {
            int line = stretch.lines().withDigest(digest);
            if (line >= 0) {
                return (stretch.number() << shift) + line;
            }
        }
        int line = now.tail.withDigest(digest);
        return line < 0 ? -1 : (now.full.size() << shift) + line;
    }

    /** The same of a line whose id is known, which spares a look at most stretches. */
    private int withDigest(long digest, @Nullable String id) {
        State now = state;
        for (Stretch stretch : now.full) {
            Lines lines = stretch.lines();
            if (!(lines instanceof SealedLines sealed) || sealed.mayHave(id)) {
                int line = lines.withDigest(digest);
                if (line >= 0) {
                    return (stretch.number() << shift) + line;
                }
            }
        }
        int line = now.tail.withDigest(digest);
        return line < 0 ? -1 : (now.full.size() << shift) + line;
    }

    private boolean sameBytes(int ordinal, byte[] buffer, int start, int length) {
        if (length(ordinal) != length) {
            return false;
        }
        try {
            return Arrays.equals(bytes(ordinal), 0, length, buffer, start, start + length);
        } catch (IOException e) {
            return false;
        }
    }

    /** How many lines there are now. */
    public int count() {
        State now = state;
        return (now.full.size() << shift) + now.tail.count();
    }

    /** The bytes of a line. */
    public byte[] bytes(int ordinal) throws IOException {
        Lines lines = lines(ordinal);
        int line = ordinal & mask;
        return file.read(lines.offset(line), lines.length(line));
    }

    /** Where a line begins in its file. */
    public long offset(int ordinal) {
        return lines(ordinal).offset(ordinal & mask);
    }

    /** How long a line is, in bytes without its line end. */
    public int length(int ordinal) {
        return lines(ordinal).length(ordinal & mask);
    }

    /** The time of a line, in milliseconds since 1970. */
    public long time(int ordinal) {
        return lines(ordinal).time(ordinal & mask);
    }

    /** What a line is. */
    public Entry.Kind kind(int ordinal) {
        return lines(ordinal).kind(ordinal & mask);
    }

    /** A number made from the bytes of a line. */
    public long digest(int ordinal) {
        return lines(ordinal).digest(ordinal & mask);
    }

    /** Whether the lines below this one are in the order of their times. */
    public boolean ascendsBelow(int cutoff) {
        return cutoff <= firstDisorder;
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
        return totals.days().highest(day);
    }

    /** The highest number of every day. For the thread that adds. */
    Map<String, Integer> highestNumbers() {
        return totals.days().highest();
    }

    /**
     * The id that a line is shown under: its own, with a suffix where several different lines have it; or one made from
     * its bytes where it has none.
     */
    public String id(int ordinal) {
        String own = ownId(ordinal);
        if (own == null) {
            return idOf(kind(ordinal), digest(ordinal)) + origin().suffix();
        }
        boolean alone = kind(ordinal) == Entry.Kind.DIRECTIVE || linesOfStore.applyAsInt(own) <= 1;
        String told = alone
                ? own
                : own + "~" + HexFormat.of().toHexDigits(digest(ordinal)).substring(0, 8);
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
        return postings(Field.ID, id);
    }

    /** Whether every line is an entry of its log's kind. */
    public boolean isUniform() {
        return tally().of(kind()) == count();
    }

    /** The lines that say they cover the line with this id. */
    public Postings covering(String id) {
        return rare(Field.COVERED, id);
    }

    /** Whether any line covers another. */
    boolean covers() {
        return has(Field.COVERED);
    }

    /** Every id that is covered. */
    Set<String> covered() {
        return keys(Field.COVERED, ANY);
    }

    /** Every line that covers others. */
    Set<Integer> coveringLines() {
        State now = state;
        if (!covers()) {
            return Set.of();
        }
        Set<Integer> covering = new HashSet<>();
        for (Stretch stretch : now.full) {
            stretch.lines().covering(line -> covering.add((stretch.number() << shift) + line));
        }
        now.tail.covering(line -> covering.add((now.full.size() << shift) + line));
        return covering;
    }

    /** How often a line happened: more than once where it covers others. */
    public long occurrences(int ordinal) {
        return lines(ordinal).occurrences(ordinal & mask);
    }

    /** The facts of a line, read again. */
    LineFacts facts(int ordinal) throws IOException {
        byte[] line = bytes(ordinal);
        try {
            return codec.facts(kind(), line, 0, line.length);
        } catch (MalformedLineException e) {
            throw new IOException(file.path() + " was changed where it was read before", e);
        }
    }

    /** The lines with this tool, in lower case. */
    public Postings withTool(String tool) {
        return postings(Field.TOOL, String.valueOf(Tail.lower(tool)));
    }

    /** The lines with this tag, in lower case. */
    public Postings withTag(String tag) {
        return postings(Field.TAG, String.valueOf(Tail.lower(tag)));
    }

    /** The lines with this context hash: their own, or the one that the hasher in use gives them. */
    public Postings withHash(String hash) {
        Postings stored = postings(Field.HASH, hash);
        Postings current = rare(Field.CURRENT_HASH, hash);
        int more = current.countBelow(Integer.MAX_VALUE);
        if (more == 0) {
            return stored;
        }
        IntStream own = IntStream.range(0, stored.countBelow(Integer.MAX_VALUE)).map(stored::at);
        return Postings.of(
                IntStream.concat(own, IntStream.range(0, more).map(current::at)).sorted());
    }

    /** The context hashes of a tool: those that begin with its name and a hyphen, in their order. */
    public SortedSet<String> hashesOf(String tool) {
        SortedSet<String> hashes = keys(Field.HASH, tool + "-");
        if (has(Field.CURRENT_HASH)) {
            hashes.addAll(keys(Field.CURRENT_HASH, tool + "-"));
        }
        return hashes;
    }

    /** The successes that say they answer this failure. */
    public Postings answering(String failureId) {
        return postings(Field.ANSWERED, failureId);
    }

    /** The lines of this session. */
    public Postings withSession(String session) {
        return postings(Field.SESSION, session);
    }

    /** The lines of this type. */
    public Postings withType(String type) {
        return postings(Field.TYPE, type);
    }

    /** The lines with this dedupe key. */
    public Postings withDedupeKey(String key) {
        return postings(Field.DEDUPE_KEY, key);
    }

    /** The outcomes and amendments that speak of an entry. */
    public Postings withTarget(String id) {
        return rare(Field.TARGET, id);
    }

    /** Every entry that an outcome or an amendment speaks of. */
    public Set<String> targets() {
        return keys(Field.TARGET, ANY);
    }

    /** Whether a line is an outcome or an amendment: no entry of its own, but a word about one. */
    public boolean isEvent(int ordinal) {
        Lines lines = lines(ordinal);
        int line = ordinal & mask;
        return lines.kind(line) == Entry.Kind.OTHER
                && lines.lines(Field.EVENT, ANY).contains(line);
    }

    /** The id in the line itself; null if it has none. */
    public @Nullable String ownId(int ordinal) {
        return lines(ordinal).id(ordinal & mask);
    }

    /** The successes whose own line proves them. */
    public Postings proven() {
        return postings(Field.PROVEN, ANY);
    }

    /** Every context hash that stands in lines, with them. */
    public void hashes(BiConsumer<String, Postings> each) {
        keys(Field.HASH, ANY).forEach(hash -> each.accept(hash, postings(Field.HASH, hash)));
    }

    /**
     * The words of all lines below a count. Those of the tail are looked up when a request first needs them, not when a
     * line is added; those of a stretch without a segment for them, too.
     */
    public List<WordSearch.Stretch> words(int count) throws IOException {
        State now = state;
        List<WordSearch.Stretch> words = new ArrayList<>();
        for (Stretch stretch : now.full) {
            words.add(new WordSearch.Stretch(text(stretch).words(), stretch.number() << shift));
        }
        int base = now.full.size() << shift;
        addWords(now.tail, now.tail.words(), base, Math.max(0, count - base));
        words.add(new WordSearch.Stretch(now.tail.words(), base));
        return words;
    }

    private void addWords(Lines lines, WordIndex words, int base, int count) throws IOException {
        if (words.end() >= count) {
            return;
        }
        addingWords.lock();
        try {
            for (int line = words.end(); line < Math.min(count, lines.count()); line++) {
                if (!isEvent(base + line)) {
                    byte[] bytes = file.read(lines.offset(line), lines.length(line));
                    words.add(line, fields -> FieldClasses.visit(codec, bytes, fields));
                }
            }
        } finally {
            addingWords.unlock();
        }
    }

    private Text text(Stretch stretch) throws IOException {
        Text known = stretch.text();
        if (known != null) {
            return known;
        }
        addingWords.lock();
        try {
            known = stretch.text() != null ? stretch.text() : segments.text(stretch);
            if (known == null) {
                known = read(stretch);
            }
            stretch.text(known);
            return known;
        } finally {
            addingWords.unlock();
        }
    }

    private Text read(Stretch stretch) throws IOException {
        sealIfThereIsRoom(stretch);
        Lines lines = stretch.lines();
        WordIndex words = new WordIndex();
        Trigrams.Builder trigrams = new Trigrams.Builder(lines.count());
        Postings events = lines.lines(Field.EVENT, ANY);
        for (int i = 0; i < lines.count(); i++) {
            int line = i;
            byte[] bytes = file.read(lines.offset(line), lines.length(line));
            if (!events.contains(line)) {
                words.add(line, fields -> FieldClasses.visit(codec, bytes, fields));
            }
            add(trigrams, line, bytes);
        }
        return segments.text(file, stretch, words, trigrams);
    }

    /** Lines of which some may hold a text, and outside of which none does; null if nothing is known of the text. */
    public @Nullable Postings mayHold(String text) throws IOException {
        State now = state;
        Joined.Builder all = new Joined.Builder();
        boolean some = false;
        for (Stretch stretch : now.full) {
            int base = stretch.number() << shift;
            BitSet blocks = stretch.hasText() ? text(stretch).trigrams().mayHold(text) : null;
            some |= blocks != null;
            if (blocks == null) {
                all.add(base, Blocks.all(mask + 1));
            } else if (!blocks.isEmpty()) {
                all.add(base, new Blocks(blocks, Trigrams.BLOCK_LINES, mask + 1));
            }
        }
        BitSet blocks = now.tail.count() < LARGE_TAIL ? null : trigrams(now).mayHold(text);
        if (blocks != null) {
            blocks.set(now.tail.trigramsEnd() / Trigrams.BLOCK_LINES, (mask >> BLOCK_SHIFT) + 1);
        }
        all.add(
                now.full.size() << shift,
                blocks == null ? Blocks.all(mask + 1) : new Blocks(blocks, Trigrams.BLOCK_LINES, mask + 1));
        return some || blocks != null ? all.build() : null;
    }

    private Trigrams.Builder trigrams(State now) throws IOException {
        addingWords.lock();
        try {
            Tail tail = now.tail;
            Trigrams.Builder trigrams = tail.trigrams();
            if (trigrams == null) {
                trigrams = new Trigrams.Builder(mask + 1);
            }
            int count = tail.count();
            for (int line = tail.trigramsEnd(); line < count; line++) {
                add(trigrams, line, file.read(tail.offset(line), tail.length(line)));
            }
            tail.trigrams(trigrams, count);
            return trigrams;
        } finally {
            addingWords.unlock();
        }
    }

    private void add(Trigrams.Builder trigrams, int line, byte[] bytes) {
        FieldClasses.visit(codec, bytes, (field, text) -> trigrams.add(line, text));
    }

    /** The totals of all lines. */
    Tally tally() {
        return totals.tally();
    }

    /** How many lines are no entries. */
    public long malformed() {
        return totals.malformed();
    }

    /** How many lines are repetitions of another. */
    public long repeated() {
        return totals.repeatedLines();
    }

    /** The lines that are no entries, at most a thousand of them. */
    public List<Malformed> malformedLines() {
        return totals.malformedLines();
    }
}
