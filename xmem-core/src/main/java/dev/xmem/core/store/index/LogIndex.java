package dev.xmem.core.store.index;

import dev.xmem.Entry;
import dev.xmem.core.base.config.LogDescriptor;
import dev.xmem.core.base.config.Origin;
import dev.xmem.core.base.json.IndexedFields;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;
import dev.xmem.core.store.log.LogChangedException;
import dev.xmem.core.store.log.LogFile;
import dev.xmem.core.store.segment.IndexedField;
import dev.xmem.core.store.segment.LineColumns;
import dev.xmem.core.store.segment.LogStatistics;
import dev.xmem.core.store.segment.Postings;
import dev.xmem.core.store.segment.SegmentStatistics;
import dev.xmem.core.store.terms.LogSlice;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of the lines of one log: sealed stretches of equal length, then the {@link ActiveSegment} one. Lines come in by one
 * thread at a time, see {@link LogIndexer}; any asks: see the package.
 */
public final class LogIndex {
    private static final String ANY = "";

    private final Object identity = new Object();
    private final LogFile file;
    private final LogDescriptor part;
    private final LineCodec codec;
    private final ToIntFunction<String> linesOfStore;
    private final SegmentSealing sealer;
    private final TextIndexes texts;
    private final LogIndexer intake;

    private boolean restored;

    /**
     * An index without lines.
     *
     * @param linesOfStore how many lines that are shown carry an id, in all logs of this log's owner
     */
    LogIndex(
            LogFile file,
            LogDescriptor part,
            LineCodec codec,
            SegmentStore segments,
            ToIntFunction<String> linesOfStore) {
        this.file = file;
        this.part = part;
        this.codec = codec;
        this.linesOfStore = linesOfStore;
        this.sealer = new SegmentSealing(file, segments);
        this.texts = new TextIndexes(file, codec, sealer);
        this.intake = new LogIndexer(file, part.kind(), codec, segments, sealer);
    }

    /** Reads what is new in the log; the first time, what segments tell of it is not read again. */
    LogFile.Change refresh() throws IOException {
        if (!restored) {
            restored = true;
            intake.restore();
        }
        return file.refresh(intake);
    }

    /** Reads a file that will be renamed to the log. */
    public void learnAhead(Path temporary) throws IOException {
        restored = true;
        file.learnAhead(temporary, intake);
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
    public LogDescriptor part() {
        return part;
    }

    /** Appends lines to the log, as {@link LogFile#append} does; they are still to be {@link #add}ed. */
    public long append(byte[] bytes, int start, int length) throws IOException {
        return file.append(bytes, start, length, intake);
    }

    /** Adds a line whose facts are known, and that the hasher in use hashed; false if the same line is already there. */
    public boolean add(IndexedFields facts, long offset, byte[] buffer, int start, int length) {
        return intake.add(facts, offset, buffer, start, length);
    }

    /** A number made from the bytes of all lines below this one, in their order. */
    public long rollingDigest(int cutoff) {
        return intake.lines().rollingDigest(cutoff);
    }

    /** Whether {@link #sealOne} has something to do. */
    boolean isSealed() {
        return intake.lines().sealable().stream().allMatch(sealer::isDone);
    }

    /** Writes a segment that is not there, the oldest first; false if that was of no effect. */
    boolean sealOne() throws IOException {
        for (Segment stretch : intake.lines().sealable()) {
            if (stretch.name() == null) {
                sealer.seal(stretch);
                return stretch.name() != null;
            }
        }
        for (Segment stretch : intake.lines().sealable()) {
            if (!stretch.hasText()) {
                texts.text(stretch);
                return true;
            }
        }
        return false;
    }

    /** Writes what is known of the newest lines, for the next opening. For the thread that adds. */
    void sealGrowing() throws IOException {
        sealer.sealGrowing(intake.lines());
    }

    /** Another index took its place: when this returns, it writes no segment any more. */
    void retire() {
        sealer.retire();
    }

    /** What its segments tell is not so: they are removed, and none is written any more. */
    void disown() throws IOException {
        sealer.disown();
    }

    /** Removes segments of this log that are not of its lines. */
    void sweep() throws IOException {
        sealer.sweep(intake.lines());
    }

    /** Whether all sealed stretches, as far as it was not stopped, are of the bytes of the log: one edited in place has others. */
    boolean isAsIndexed(BooleanSupplier stopped) throws IOException {
        return sealer.covers(intake.lines(), stopped);
    }

    /** Looks at all segments; returns how many are damaged, which are of no use from now on. */
    int checkSegments(BooleanSupplier stopped) throws IOException {
        return sealer.check(intake.lines(), stopped);
    }

    private Postings rare(IndexedField field, String key) {
        return has(field) ? postings(field, key) : Postings.EMPTY;
    }

    private Postings postings(IndexedField field, String key) {
        return intake.lines().postings(field, key);
    }

    private <T extends Set<String>> T keys(IndexedField field, T into) {
        intake.lines().keys(field, ANY, key -> {
            into.add(key);
            return true;
        });
        return into;
    }

    private boolean has(IndexedField field) {
        return intake.lines().has(field);
    }

    /** A number made from the bytes of a line, as {@link #digest(int)} gives it. */
    public static long digestOf(byte[] line) {
        return DigestTable.of(line, 0, line.length);
    }

    /** The ids that a line covers. */
    public List<String> covers(int ordinal) throws IOException {
        return facts(ordinal).covers();
    }

    /** The first line with the digest of these bytes; -1 if there is none. */
    public int withBytes(byte[] line) {
        return withDigest(DigestTable.of(line, 0, line.length));
    }

    /** The first line with this digest; -1 if there is none. */
    int withDigest(long digest) {
        return intake.lines().withDigest(digest);
    }

    /** How many lines there are now. */
    public int count() {
        return intake.lines().count();
    }

    /** The bytes of a line. */
    public byte[] bytes(int ordinal) throws IOException {
        SegmentList now = intake.lines();
        LineColumns of = now.of(ordinal);
        int line = now.in(ordinal);
        return file.readLine(of.offset(line), of.length(line));
    }

    /** Where a line begins in its file. */
    public long offset(int ordinal) {
        SegmentList now = intake.lines();
        return now.of(ordinal).offset(now.in(ordinal));
    }

    /** How long a line is, in bytes without its line end. */
    public int length(int ordinal) {
        SegmentList now = intake.lines();
        return now.of(ordinal).length(now.in(ordinal));
    }

    /** The time of a line, in milliseconds since 1970. */
    public long time(int ordinal) {
        SegmentList now = intake.lines();
        return now.of(ordinal).time(now.in(ordinal));
    }

    /** What a line is. */
    public Entry.Kind kind(int ordinal) {
        SegmentList now = intake.lines();
        return now.of(ordinal).kind(now.in(ordinal));
    }

    /** A number made from the bytes of a line. */
    public long digest(int ordinal) {
        SegmentList now = intake.lines();
        return now.of(ordinal).digest(now.in(ordinal));
    }

    /** Whether the lines below this one are in the order of their times. */
    public boolean ascendsBelow(int cutoff) {
        return intake.totals().times().ascendsBelow(cutoff);
    }

    /** The latest time of a line that is not beyond the horizon. For the thread that adds. */
    public long newestMillis() {
        return intake.totals().times().newest();
    }

    /** Times beyond this one are taken for somebody's mistake from now on. For the thread that adds. */
    public void maxPlausibleTime(long millis) {
        intake.totals().times().maxPlausibleTime(millis);
    }

    /** The highest number that an id of this day carries. For the thread that adds. */
    public int highestNumber(String day) {
        return intake.totals().days().highest(day);
    }

    /** The highest number of every day. For the thread that adds. */
    Map<String, Integer> highestNumbers() {
        return intake.totals().days().highest();
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
        return idOf(kind, DigestTable.of(line, 0, line.length));
    }

    private static String idOf(Entry.Kind kind, long digest) {
        return (kind == Entry.Kind.NOTE ? "note-" : "line-") + HexFormat.of().toHexDigits(digest);
    }

    /** The lines that carry this id. */
    public Postings withId(String id) {
        return postings(IndexedField.ID, id);
    }

    /** Whether every line is an entry of its log's kind. */
    public boolean isUniform() {
        return tally().of(kind()) == count();
    }

    /** The lines that say they cover the line with this id. */
    public Postings covering(String id) {
        return rare(IndexedField.COVERED, id);
    }

    /** Whether any line covers another. */
    public boolean covers() {
        return has(IndexedField.COVERED);
    }

    /** Every id that is covered. */
    Set<String> covered() {
        return keys(IndexedField.COVERED, new HashSet<>());
    }

    /** Every line that covers others. */
    Set<Integer> coveringLines() {
        return covers() ? intake.lines().covering() : Set.of();
    }

    /** How often a line happened: more than once where it covers others. */
    public long occurrences(int ordinal) {
        SegmentList now = intake.lines();
        return now.of(ordinal).occurrences(now.in(ordinal));
    }

    /** The facts of a line, read again. */
    IndexedFields facts(int ordinal) throws IOException {
        byte[] line = bytes(ordinal);
        try {
            return codec.facts(kind(), line, 0, line.length);
        } catch (MalformedLineException e) {
            throw new LogChangedException(file.path() + " was changed where it was read before", e);
        }
    }

    /** The lines with this tool, in lower case. */
    public Postings withTool(String tool) {
        return postings(IndexedField.TOOL, String.valueOf(Memtable.lower(tool)));
    }

    /** The lines with this tag, in lower case. */
    public Postings withTag(String tag) {
        return postings(IndexedField.TAG, String.valueOf(Memtable.lower(tag)));
    }

    /** The lines with this context hash: their own, or the one that the hasher in use gives them. */
    public Postings withHash(String hash) {
        Postings stored = withStoredHash(hash);
        Postings current = rare(IndexedField.CURRENT_HASH, hash);
        int more = current.countBelow(Integer.MAX_VALUE);
        if (more == 0) {
            return stored;
        }
        IntStream own = IntStream.range(0, stored.countBelow(Integer.MAX_VALUE)).map(stored::at);
        return Postings.of(
                IntStream.concat(own, IntStream.range(0, more).map(current::at)).sorted());
    }

    /** The first so many context hashes of a tool: those that begin with its name and a hyphen, in their order. */
    public SortedSet<String> hashesOf(String tool, int most) {
        BoundedKeys hashes = new BoundedKeys(most);
        intake.lines().keys(IndexedField.HASH, tool + "-", hashes);
        if (has(IndexedField.CURRENT_HASH)) {
            intake.lines().keys(IndexedField.CURRENT_HASH, tool + "-", hashes);
        }
        return hashes.keys();
    }

    /** The successes that say they answer this failure. */
    public Postings answering(String failureId) {
        return rare(IndexedField.ANSWERED, failureId);
    }

    /** Whether any line answers a failure. */
    public boolean answers() {
        return has(IndexedField.ANSWERED);
    }

    /** The lines of this session. */
    public Postings withSession(String session) {
        return postings(IndexedField.SESSION, session);
    }

    /** The lines of this type. */
    public Postings withType(String type) {
        return postings(IndexedField.TYPE, type);
    }

    /** The lines with this dedupe key. */
    public Postings withDedupeKey(String key) {
        return postings(IndexedField.DEDUPE_KEY, key);
    }

    /** The outcomes and amendments that speak of an entry. */
    public Postings withTarget(String id) {
        return rare(IndexedField.TARGET, id);
    }

    /** The outcomes and amendments. */
    public Postings events() {
        return rare(IndexedField.EVENT, ANY);
    }

    /** Every entry that an outcome or an amendment speaks of. */
    public Set<String> targets() {
        return keys(IndexedField.TARGET, new HashSet<>());
    }

    /** Whether a line is an outcome or an amendment: no entry of its own, but a word about one. */
    public boolean isEvent(int ordinal) {
        SegmentList now = intake.lines();
        return TextIndexes.isEvent(now.of(ordinal), now.in(ordinal));
    }

    /** The id in the line itself; null if it has none. */
    public @Nullable String ownId(int ordinal) {
        SegmentList now = intake.lines();
        return now.of(ordinal).id(now.in(ordinal));
    }

    /** The successes whose own line proves them. */
    public Postings proven() {
        return postings(IndexedField.PROVEN, ANY);
    }

    /** Every context hash that stands in lines. */
    public SortedSet<String> hashes() {
        return keys(IndexedField.HASH, new TreeSet<>());
    }

    /** Every context hash that stands in several of the lines below a count, in their order. */
    public SortedSet<String> repeatedHashes(int count) {
        return intake.lines().repeated(IndexedField.HASH, count);
    }

    /** The lines in which this context hash stands. */
    public Postings withStoredHash(String hash) {
        return postings(IndexedField.HASH, hash);
    }

    /** The words of all lines below a count. */
    public List<LogSlice.Part> words(int count) throws IOException {
        return texts.words(intake.lines(), count);
    }

    /** Lines of which some may hold a text, and outside of which none does; null if nothing is known of the text. */
    public @Nullable Postings mayHold(String text) throws IOException {
        return texts.mayHold(intake.lines(), text);
    }

    /** The totals of all lines. */
    LogStatistics tally() {
        return intake.totals().tally();
    }

    /** How many lines are no entries. */
    public long malformed() {
        return intake.totals().malformed();
    }

    /** How many lines are repetitions of another. */
    public long repeated() {
        return intake.totals().repeatedLines();
    }

    /** The lines that are no entries, at most a thousand of them. */
    public List<SegmentStatistics.Malformed> malformedLines() {
        return intake.totals().malformedLines();
    }
}
