package dev.xmem.core.store.index;

import dev.xmem.Entry;
import dev.xmem.core.store.segment.IndexedField;
import dev.xmem.core.store.segment.LineColumns;
import dev.xmem.core.store.segment.MergedKeys;
import dev.xmem.core.store.segment.Postings;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The lines of one log below a count. Immutable, except that a line may become shadowed. */
public final class LogSnapshot {
    /** Compiled when such a name is first looked up. */
    private static final class Names {
        static final Pattern WITHOUT_ID = Pattern.compile("(note|line)-([0-9a-f]{16})(@.*)?");
    }

    private final LogIndex index;
    private final int count;
    private final ShadowedLines hidden;

    LogSnapshot(LogIndex index, int count, ShadowedLines hidden) {
        this.index = index;
        this.count = count;
        this.hidden = hidden;
    }

    public LogIndex index() {
        return index;
    }

    /** The number of its lines that this snapshot has. */
    public int count() {
        return count;
    }

    /** Whether a line is visible: it is not shadowed by the same line or a covering one elsewhere. */
    public boolean shows(int ordinal) {
        return !hidden.has(ordinal);
    }

    /** A copy of the lines that are not visible. */
    public BitSet shadowed() {
        return hidden.copy();
    }

    /** The number of entries of some kinds, visible or not: all their lines but outcomes and amendments. */
    public int entries(Set<Entry.Kind> kinds) {
        boolean events = kinds.contains(Entry.Kind.UNKNOWN);
        int other = events ? index.lines().postings(IndexedField.EVENT, "").countBelow(count) : 0;
        return Objects.checkIndex(index.segments().count(kinds, count) - other, count + 1);
    }

    /** Another object when another line was shadowed; null while none is. */
    public @Nullable Object shadowedState() {
        return hidden.state();
    }

    /** Whether every line counts as one entry: none is shadowed, and none covers others. */
    public boolean isPlain() {
        return hidden.isEmpty() && !index.covers();
    }

    /** Whether every line is a visible entry of the log's kind. */
    public boolean isUniform() {
        return hidden.isEmpty() && index.isUniform();
    }

    /** Whether a line is shown under this id, or covers one that was. */
    boolean has(String id) {
        return !id.isEmpty()
                && (index.withShownId(id).countBelow(count) > 0
                        || index.withShownId(IndexedField.COVERED, id).countBelow(count) > 0
                        || hasWithoutId(id));
    }

    /** Whether a line without an id has this derived id. */
    private boolean hasWithoutId(String name) {
        Matcher parts = Names.WITHOUT_ID.matcher(name);
        if (!parts.matches()) {
            return false;
        }
        int line = index.lines().withDigest(Long.parseUnsignedLong(parts.group(2), 16));
        return line >= 0 && line < count && index.origin(line).mayShow(name);
    }

    /** The first {@code most} context hashes of a tool, in order: those that begin with its name and a hyphen. */
    public SortedSet<String> hashesOf(String tool, int most) {
        BoundedKeys hashes = new BoundedKeys(most);
        index.lines().keys(IndexedField.HASH, tool + "-", hashes);
        index.lines().keys(IndexedField.CURRENT_HASH, tool + "-", hashes);
        return hashes.keys();
    }

    /**
     * The newest lines with a context hash that begins with a prefix and passes a test, at most
     * {@code most}. Looks them up in the newest segment first, and in older ones only while there are fewer.
     */
    public NavigableSet<Integer> newestWithHash(String prefix, Predicate<String> test, int most) {
        SegmentList lines = index.segments();
        NavigableSet<Integer> newest = new TreeSet<>();
        for (int i = lines.parts() - 1; i >= 0 && newest.size() < most; i--) {
            LineColumns part = lines.part(i);
            int base = lines.base(i);
            for (IndexedField field : List.of(IndexedField.HASH, IndexedField.CURRENT_HASH)) {
                part.keys(field, prefix, hash -> {
                    if (test.test(hash)) {
                        addNewest(part.postings(field, hash), base, most, newest);
                    }
                    return true;
                });
            }
        }
        return newest;
    }

    /** Adds the newest lines of a posting list, whose first line has the ordinal {@code base}; keeps the newest. */
    private void addNewest(Postings lines, int base, int most, NavigableSet<Integer> newest) {
        int end = lines.countBelow(count - base);
        for (int i = end - 1; i >= Math.max(0, end - most); i--) {
            newest.add(base + lines.at(i));
        }
        while (newest.size() > most) {
            newest.pollFirst();
        }
    }

    /** The newest lines with this tool, at most {@code most}. */
    public NavigableSet<Integer> newestOfTool(String tool, int most) {
        NavigableSet<Integer> newest = new TreeSet<>();
        addNewest(index.withName(IndexedField.TOOL, tool), 0, most, newest);
        return newest;
    }

    /**
     * Passes on the lines of each context hash that several of them have, in the order of the hashes.
     *
     * @param current whether the lines to which the hasher in use gives such a hash are passed on with them; see {@link
     *     LogIndex#withHash}
     */
    public void repeatedHashes(boolean current, Consumer<int[]> each) throws IOException {
        MergedKeys hashes = new MergedKeys();
        index.segments().addTo(hashes, IndexedField.HASH, 0, count, true);
        if (current) {
            index.segments().addTo(hashes, IndexedField.CURRENT_HASH, 0, count, false);
        }
        hashes.forEach(2, (hash, lines) -> each.accept(lines));
    }

    /**
     * The lines with an id that several lines of some logs have, which this log is one of. Lines behind the count are
     * looked at too: another process may have added them.
     */
    public BitSet repeatedIds(List<LogIndex> logs) throws IOException {
        MergedKeys ids = new MergedKeys();
        index.segments().addTo(ids, IndexedField.ID, 0, Integer.MAX_VALUE, true);
        for (LogIndex other : logs) {
            if (other != index) {
                other.segments().addTo(ids, IndexedField.ID, count, Integer.MAX_VALUE, false);
            }
        }
        BitSet repeated = new BitSet(count);
        ids.forEach(1, 2, (id, lines) -> {
            for (int line : lines) {
                if (line < count) {
                    repeated.set(line);
                }
            }
        });
        return repeated;
    }

    /** The same log with another number of lines. */
    public LogSnapshot upTo(int lines) {
        return new LogSnapshot(index, lines, hidden);
    }

    long total(Entry.Kind kind) {
        return index.statistics().logStatistics().of(kind) - hidden.statistics().of(kind);
    }

    ShadowedLines hidden() {
        return hidden;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LogSnapshot view && view.index == index && view.count == count && view.hidden == hidden;
    }

    @Override
    public int hashCode() {
        return 31 * System.identityHashCode(index) + count;
    }
}
