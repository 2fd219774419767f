package dev.xmem.core.store.segment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Passes on the keys of several dictionaries in order, each with its lines, by merging the dictionaries. Keeps a few
 * bytes for each key. Used once.
 */
public final class MergedKeys implements DictionaryMerger.ValueVisitor, IntConsumer {
    private final DictionaryMerger merger = new DictionaryMerger();
    private final List<Source> sources = new ArrayList<>();
    private Visitor visitor = (key, lines) -> {};
    private int least = 1;
    private int leastInAll = 1;
    /** The range of the keys whose lines count. */
    private KeyRange range = KeyRange.of("", "", 0);

    /** The keys of wide characters, which dictionaries have before all others, until their turn comes. */
    private final SortedMap<String, int[]> wide = new TreeMap<>();
    /** The lines of the key at hand. */
    private int[] lines = new int[16];

    private int n;
    /** How many of them count. */
    private int counted;

    private record Source(PostingLists lists, boolean counts) {}

    /** Takes a key, and the ordinals of its lines, ascending. */
    public interface Visitor {
        void key(String key, int[] lines) throws IOException;
    }

    /**
     * Adds a field of the lines of a segment below a count.
     *
     * @param base the ordinal of the first line
     * @param counts whether a key is passed on because of these lines; others, which are added later, are only found
     *     with such a key
     */
    public void add(LineColumns segment, IndexedField field, int base, int count, boolean counts)
            throws CorruptSegmentException {
        if (!segment.has(field)) {
            return;
        }
        for (PostingLists some : PostingLists.of(segment, field, base, count)) {
            KeyRange keys = some.dictionary().range();
            if (counts || range.mayMeet(keys)) {
                merger.add(some.dictionary(), null);
                sources.add(new Source(some, counts));
                range = counts ? range.with(keys) : range;
            }
        }
    }

    /** Passes on each key that has at least this many lines that count, in the order of the keys. */
    public void forEach(int atLeast, Visitor each) throws IOException {
        forEach(atLeast, atLeast, each);
    }

    /**
     * Passes on each key with enough lines, in the order of the keys.
     *
     * @param atLeast how many of its lines have to count
     * @param inAll how many lines it needs, whether they count or not
     */
    public void forEach(int atLeast, int inAll, Visitor each) throws IOException {
        least = atLeast;
        leastInAll = inAll;
        visitor = each;
        try {
            merger.visit(this);
            passOnWide(null);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    @Override
    public void value(int source, TermDictionary keys, int place) {
        int before = n;
        sources.get(source).lists.lines(place, this);
        counted += sources.get(source).counts ? n - before : 0;
    }

    @Override
    public void accept(int line) {
        if (n == lines.length) {
            lines = Arrays.copyOf(lines, 2 * n);
        }
        lines[n++] = line;
    }

    @Override
    public void key(TermDictionary keys, int place) {
        if (counted >= least && n >= leastInAll) {
            String key = keys.key(place);
            int[] all = Arrays.copyOf(lines, n);
            if (!ascends(all)) {
                Arrays.sort(all);
            }
            if (KeyCodec.isWide(key)) {
                wide.put(key, all);
            } else {
                passOnWide(key);
                passOn(key, all);
            }
        }
        n = 0;
        counted = 0;
    }

    /** As the lines of a key do, unless two fields were added. */
    private static boolean ascends(int[] all) {
        for (int i = 1; i < all.length; i++) {
            if (all[i] < all[i - 1]) {
                return false;
            }
        }
        return true;
    }

    /** Passes on the wide keys before another key; all if there is none. */
    private void passOnWide(@Nullable String next) {
        while (!wide.isEmpty() && (next == null || wide.firstKey().compareTo(next) < 0)) {
            String first = wide.firstKey();
            passOn(first, wide.getOrDefault(first, lines));
            wide.remove(first);
        }
    }

    private void passOn(String key, int[] all) {
        try {
            visitor.key(key, all);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
