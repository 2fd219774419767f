package dev.xmem.core.store.segment;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A dictionary of posting lists, and the lines that they are of. Immutable.
 *
 * @param base the ordinal of the first line
 * @param count the number of lines
 * @param parts how many equally long parts they are in, each with a list of its own; 0 if they are in one, whose keys
 *     have one list
 * @param segment the lines; null if they are in parts, or not in a segment
 */
record PostingLists(
        TermDictionary dictionary,
        int base,
        int count,
        int parts,
        @Nullable SegmentReader segment) {
    /** The dictionaries of a field of the lines below a count; of a merged segment, the ids have one for each part. */
    static List<PostingLists> of(LineColumns lines, IndexedField field, int base, int count)
            throws CorruptSegmentException {
        if (count < lines.count() || !(lines instanceof SegmentReader || lines instanceof MergedSegmentReader)) {
            return List.of(new PostingLists(SegmentReader.dictionary(lines, field, count), base, count, 0, null));
        }
        if (lines instanceof SegmentReader segment) {
            return List.of(new PostingLists(segment.dictionary(field), base, segment.count(), 0, segment));
        }
        MergedSegmentReader merged = (MergedSegmentReader) lines;
        if (field != IndexedField.ID) {
            return List.of(new PostingLists(merged.dictionary(field), base, merged.count(), merged.parts(), null));
        }
        List<PostingLists> all = new ArrayList<>();
        int partLines = merged.count() / merged.parts();
        for (int part = 0; part < merged.parts(); part++) {
            SegmentReader of = merged.part(part);
            all.add(new PostingLists(of.dictionary(field), base + part * partLines, partLines, 0, of));
        }
        return all;
    }

    /** The places of the keys with lines in some parts, given as bits; null if these are all. */
    @Nullable BitSet keysOf(long some) {
        if (parts == 0 || some == -1L >>> -parts) {
            return null;
        }
        BitSet keys = new BitSet(dictionary.size());
        for (int place = 0; place < dictionary.size(); place++) {
            if ((PartPostings.parts(dictionary.section(), dictionary.valueStart(place), parts) & some) != 0) {
                keys.set(place);
            }
        }
        return keys;
    }

    /** Passes on the ordinals of the lines with the key at a place. */
    void lines(int place, IntConsumer each) {
        lines(place, -1L, each);
    }

    /** Passes on the ordinals of the lines with the key at a place that are in some parts, given as bits. */
    void lines(int place, long some, IntConsumer each) {
        ByteBuffer in = dictionary.section();
        int start = dictionary.valueStart(place);
        if (parts == 0) {
            decode(in, start, base, count, each);
            return;
        }
        int partLines = count / parts;
        PartPostings lists = new PartPostings(in, start, dictionary.valueEnd(place), parts);
        for (int i = 0; i < lists.size(); i++) {
            if ((some >>> lists.part(i) & 1) != 0) {
                decode(in, lists.start(i), base + lists.part(i) * partLines, partLines, each);
            }
        }
    }

    private static void decode(ByteBuffer in, int start, int base, int count, IntConsumer each) {
        int size = Objects.checkIndex(Varints.get(in, start), count + 1);
        int at = start + Varints.length(size);
        int ordinal = 0;
        for (int i = 0; i < size; i++) {
            int distance = Varints.get(in, at);
            at += Varints.length(distance);
            ordinal = Objects.checkIndex(ordinal + distance, count);
            each.accept(base + ordinal);
        }
    }
}
