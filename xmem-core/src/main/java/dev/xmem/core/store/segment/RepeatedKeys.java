package dev.xmem.core.store.segment;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Finds the keys that several lines have, and the lines with each, by merging dictionaries. Keeps a few bytes for each
 * key, and the text or the lines of those that it finds. Used once.
 */
public final class RepeatedKeys implements DictionaryMerger.ValueVisitor {
    private final DictionaryMerger merger = new DictionaryMerger();
    private final List<Source> sources = new ArrayList<>();
    private final List<String> texts = new ArrayList<>();
    private final List<int[]> found = new ArrayList<>();
    private boolean keepsTexts;
    /** The lines of the key at hand. */
    private int[] lines = new int[16];

    private int n;
    /** How many of them count. */
    private int counted;

    private record Source(PostingLists lists, boolean counts) {}

    /**
     * Adds a field of the lines of a segment below a count.
     *
     * @param base the ordinal of the first line
     * @param counts whether these lines count; others are only found with a key that is repeated without them
     */
    public void add(LineColumns segment, IndexedField field, int base, int count, boolean counts)
            throws CorruptSegmentException {
        if (!segment.has(field)) {
            return;
        }
        for (PostingLists some : PostingLists.of(segment, field, base, count)) {
            merger.add(some.dictionary());
            sources.add(new Source(some, counts));
        }
    }

    /** The ordinals of the lines of each repeated key, ascending; the keys in the order of the dictionaries. */
    public List<int[]> lines() {
        merger.visit(this);
        return found;
    }

    /** The repeated keys. */
    public List<String> keys() {
        keepsTexts = true;
        merger.visit(this);
        return texts;
    }

    @Override
    public void value(int source, TermDictionary keys, int place) {
        int before = n;
        sources.get(source).lists.lines(place, this::add);
        counted += sources.get(source).counts ? n - before : 0;
    }

    private void add(int line) {
        if (n == lines.length) {
            lines = Arrays.copyOf(lines, 2 * n);
        }
        lines[n++] = line;
    }

    @Override
    public void key(TermDictionary keys, int place) {
        if (counted > 1 && keepsTexts) {
            texts.add(keys.key(place));
        } else if (counted > 1) {
            int[] all = Arrays.copyOf(lines, n);
            Arrays.sort(all);
            found.add(all);
        }
        n = 0;
        counted = 0;
    }
}
