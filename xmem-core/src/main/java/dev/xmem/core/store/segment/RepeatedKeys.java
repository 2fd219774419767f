package dev.xmem.core.store.segment;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Finds the keys of a field that several lines of consecutive segments have, and the lines with each: also those that
 * have the key in another field. Keeps a few bytes for each key, and the lines of those that it finds. Used once.
 */
final class RepeatedKeys implements DictionaryMerger.ValueVisitor {
    private final IndexedField field;
    private final IndexedField other;
    private final DictionaryMerger merger = new DictionaryMerger();
    private final List<PostingLists> lists = new ArrayList<>();
    /** For each of the lists, whether it is of the other field. */
    private final List<Boolean> ofOther = new ArrayList<>();

    private final List<int[]> found = new ArrayList<>();
    /** The lines of the key at hand. */
    private int[] lines = new int[16];

    private int n;
    /** How many of them have the key in the field. */
    private int counted;

    RepeatedKeys(IndexedField field, IndexedField other) {
        this.field = field;
        this.other = other;
    }

    /** Adds the lines of the next segment below a count; the first one has the ordinal {@code base}. */
    void add(LineColumns segment, int base, int count) throws CorruptSegmentException {
        for (IndexedField of : List.of(field, other)) {
            for (PostingLists some : segment.has(of) ? PostingLists.of(segment, of, base, count) : List.<PostingLists>of()) {
                merger.add(some.dictionary());
                lists.add(some);
                ofOther.add(of == other);
            }
        }
    }

    /** The ordinals of the lines of each key, ascending; the keys in the order of the dictionaries. Called once. */
    List<int[]> find() {
        merger.visit(this);
        return found;
    }

    @Override
    public void value(int source, TermDictionary keys, int place) {
        int before = n;
        lists.get(source).lines(place, this::add);
        counted += ofOther.get(source) ? 0 : n - before;
    }

    private void add(int line) {
        if (n == lines.length) {
            lines = Arrays.copyOf(lines, 2 * n);
        }
        lines[n++] = line;
    }

    @Override
    public void key(TermDictionary keys, int place) {
        if (counted > 1) {
            int[] all = Arrays.copyOf(lines, n);
            Arrays.sort(all);
            found.add(all);
        }
        n = 0;
        counted = 0;
    }
}
