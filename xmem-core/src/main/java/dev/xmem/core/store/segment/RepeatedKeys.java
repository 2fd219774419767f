package dev.xmem.core.store.segment;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the keys of a field that several lines of consecutive segments have. Keeps a few bytes for each key, and the
 * text of those that it finds. Used once.
 */
final class RepeatedKeys implements DictionaryMerger.ValueVisitor {
    private final IndexedField field;
    private final DictionaryMerger merger = new DictionaryMerger();
    /** How many parts each of the segments has; 0 if it is not merged. */
    private final List<Integer> parts = new ArrayList<>();

    private final List<String> found = new ArrayList<>();
    private int lines;

    RepeatedKeys(IndexedField field) {
        this.field = field;
    }

    /** Adds the lines of the next segment below a count. */
    void add(LineColumns segment, int count) throws CorruptSegmentException {
        boolean whole = count >= segment.count();
        if (whole && segment instanceof SegmentReader sealed) {
            merger.add(sealed.dictionary(field));
            parts.add(0);
        } else if (whole && segment instanceof MergedSegmentReader merged) {
            merger.add(merged.dictionary(field));
            parts.add(merged.parts());
        } else {
            merger.add(SegmentReader.dictionary(segment, field, count));
            parts.add(0);
        }
    }

    /** The keys, in their order; to be called once. */
    List<String> find() {
        merger.visit(this);
        found.sort(null); // all but those of wide characters are in order
        return found;
    }

    @Override
    public void value(int source, TermDictionary keys, int place) {
        ByteBuffer in = keys.section();
        int start = keys.valueStart(place);
        if (parts.get(source) == 0) {
            lines += Varints.get(in, start);
            return;
        }
        PartPostings lists = new PartPostings(in, start, keys.valueEnd(place), parts.get(source));
        for (int i = 0; i < lists.size(); i++) {
            lines += Varints.get(in, lists.start(i));
        }
    }

    @Override
    public void key(TermDictionary keys, int place) {
        if (lines > 1) {
            found.add(keys.key(place));
        }
        lines = 0;
    }
}
