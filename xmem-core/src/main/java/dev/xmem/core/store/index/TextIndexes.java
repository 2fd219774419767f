package dev.xmem.core.store.index;

import dev.xmem.Entry;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;
import dev.xmem.core.store.log.LogFile;
import dev.xmem.core.store.segment.ConcatenatedPostings;
import dev.xmem.core.store.segment.CorruptSegmentException;
import dev.xmem.core.store.segment.IndexedField;
import dev.xmem.core.store.segment.LineColumns;
import dev.xmem.core.store.segment.NgramFilter;
import dev.xmem.core.store.segment.Postings;
import dev.xmem.core.store.segment.SegmentText;
import dev.xmem.core.store.terms.FieldBoost;
import dev.xmem.core.store.terms.ForwardIndex;
import dev.xmem.core.store.terms.LogSlice;
import dev.xmem.core.store.terms.MemoryTextIndex;
import dev.xmem.core.store.terms.RequiredTerms;
import dev.xmem.core.store.terms.TextIndex;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The text indexes of one log: words and n-grams, a file for each segment. Those of lines in memory are indexed when a
 * search first needs them, not when a line is added; a segment without a text file is indexed then, too. Thread-safe.
 */
final class TextIndexes {
    private static final String ANY = "";
    /** A search reads fewer new lines than this one by one. */
    private static final int MANY_LINES = 512;

    private final LogFile file;
    private final SegmentSealing sealing;
    private final ReentrantLock adding = new ReentrantLock();

    TextIndexes(LogFile file, SegmentSealing sealing) {
        this.file = file;
        this.sealing = sealing;
    }

    /** The word indexes of all lines below a count. */
    List<LogSlice.Part> words(SegmentList now, int count) throws IOException {
        List<LogSlice.Part> words = new ArrayList<>();
        for (Segment segment : now.full()) {
            words.add(new LogSlice.Part(words(segment), segment.number() << now.shift()));
        }
        ActiveSegment active = now.active();
        int base = now.activeBase();
        if (active.head() != null) {
            words.add(new LogSlice.Part(words(active.head()), base));
        }
        int first = base + active.headCount();
        words.add(new LogSlice.Part(words(active, count - first), first));
        return words;
    }

    private MemoryTextIndex words(ActiveSegment active, int count) throws IOException {
        MemoryTextIndex known = active.words();
        if (known != null && known.end() >= count) {
            return known;
        }
        adding.lock();
        try {
            known = active.words();
            MemoryTextIndex words = known == null ? new MemoryTextIndex() : known;
            int end = Math.min(count, active.unsealed());
            for (int line = words.end(); line < end; line++) {
                int in = active.headCount() + line;
                if (!isEvent(active, in)) {
                    byte[] bytes = file.readLine(active.offset(in), active.length(in));
                    words.add(line, fields -> visit(bytes, fields));
                }
            }
            active.words(words);
            return words;
        } finally {
            adding.unlock();
        }
    }

    /** Whether a line is an outcome or an amendment: no entry of its own, but an event of one. */
    static boolean isEvent(LineColumns lines, int line) {
        return lines.kind(line) == Entry.Kind.UNKNOWN
                && lines.postings(IndexedField.EVENT, ANY).contains(line);
    }

    private TextIndex words(Segment segment) throws IOException {
        return part(segment, SegmentText::words);
    }

    private NgramFilter grams(Segment segment) throws IOException {
        return part(segment, SegmentText::grams);
    }

    private interface TextPart<T> {
        T of(SegmentText text) throws CorruptSegmentException;
    }

    private <T> T part(Segment segment, TextPart<T> part) throws IOException {
        SegmentText opened = text(segment);
        try {
            return part.of(opened);
        } catch (CorruptSegmentException e) {
            if (segment.isMerged()) {
                throw e;
            }
            return part.of(inPlaceOf(opened, segment));
        }
    }

    /** The text index of a segment, which is made if it is missing. */
    SegmentText text(Segment segment) throws IOException {
        SegmentText opened = segment.text() != null ? segment.text() : sealing.text(segment);
        if (opened == null) {
            return inPlaceOf(null, segment);
        }
        segment.text(opened);
        return opened;
    }

    /** Makes a missing or damaged text index, unless another thread has done so. */
    private SegmentText inPlaceOf(@Nullable SegmentText damaged, Segment segment) throws IOException {
        segment.makingText().lock();
        try {
            SegmentText known = segment.text();
            if (known == null || known == damaged) {
                known = make(segment);
                segment.text(known);
            }
            return known;
        } finally {
            segment.makingText().unlock();
        }
    }

    private SegmentText make(Segment segment) throws IOException {
        sealing.sealIfThereIsRoom(segment);
        LineColumns lines = segment.lines();
        ForwardIndex words = new ForwardIndex(lines.count());
        NgramFilter.Builder grams = new NgramFilter.Builder(lines.count());
        Postings events = lines.postings(IndexedField.EVENT, ANY);
        for (int i = 0; i < lines.count(); i++) {
            int line = i;
            byte[] bytes = file.readLine(lines.offset(line), lines.length(line));
            if (events.contains(line)) {
                add(grams, line, bytes);
            } else {
                words.add(
                        line,
                        fields -> visit(bytes, (field, in, from, length) -> {
                            fields.text(field, in, from, length);
                            grams.add(line, in, from, length);
                        }));
            }
        }
        return sealing.text(segment, words, grams);
    }

    /** The lines that may hold a text, which is looked up where and when they are asked for. */
    CandidateLines mayHold(SegmentList now, String text) {
        return new CandidateLines(this, now, text);
    }

    /**
     * Adds the lines of a part of a log that may hold a text: all, and returns false, if nothing is known of it there.
     *
     * @param part the number of a full segment, or one of the two parts of the active one that follow them
     */
    boolean add(SegmentList now, int part, String text, RequiredTerms inner, ConcatenatedPostings.Builder all)
            throws IOException {
        if (part < now.full().size()) {
            Segment segment = now.full().get(part);
            return add(segment, segment.number() << now.shift(), text, inner, all);
        }
        ActiveSegment active = now.active();
        if (part == now.full().size()) {
            return active.head() != null && add(active.head(), now.activeBase(), text, inner, all);
        }
        int room = (1 << now.shift()) - active.headCount();
        NgramFilter.BlockPostings blocks =
                active.unsealed() < MANY_LINES ? null : grams(active, room).mayHold(text);
        all.add(
                now.activeBase() + active.headCount(),
                blocks == null ? NgramFilter.BlockPostings.all(room) : blocks.andFrom(active.gramsEnd()));
        return blocks != null;
    }

    /** Adds the lines of a segment that may hold a text: all, and returns false, if nothing is known of it there. */
    private boolean add(Segment segment, int base, String text, RequiredTerms inner, ConcatenatedPostings.Builder all)
            throws IOException {
        int lines = segment.lines().count();
        NgramFilter.BlockPostings blocks = segment.hasText() ? grams(segment).mayHold(text) : null;
        if (blocks == null) {
            all.add(base, NgramFilter.BlockPostings.all(lines));
        } else if (!blocks.isEmpty()) {
            BitSet exact = inner.in(words(segment));
            all.add(base, exact == null ? blocks : Postings.of(within(blocks, exact, segment)));
        }
        return blocks != null;
    }

    /**
     * The lines of some blocks that have all words, and the lines that are too long for all their words to be indexed.
     */
    private static IntStream within(NgramFilter.BlockPostings blocks, BitSet exact, Segment segment) {
        exact.or(segment.longLines());
        return exact.stream().filter(blocks::contains);
    }

    private NgramFilter.Builder grams(ActiveSegment active, int room) throws IOException {
        adding.lock();
        try {
            NgramFilter.Builder grams = active.grams();
            if (grams == null) {
                grams = new NgramFilter.Builder(room);
            }
            int count = active.unsealed();
            for (int line = active.gramsEnd(); line < count; line++) {
                int in = active.headCount() + line;
                add(grams, line, file.readLine(active.offset(in), active.length(in)));
            }
            active.grams(grams, count);
            return grams;
        } finally {
            adding.unlock();
        }
    }

    private void add(NgramFilter.Builder grams, int line, byte[] bytes) {
        visit(bytes, (field, in, from, length) -> grams.add(line, in, from, length));
    }

    /** Passes on every text of a line with the boost of its field. A line that was changed since has none. */
    private void visit(byte[] line, MemoryTextIndex.Fields fields) {
        try {
            LineCodec.texts(line, (field, in, from, length) -> {
                fields.text(boost(field), in, from, length);
                return true;
            });
        } catch (MalformedLineException e) {
            // it was well-formed when it was indexed
        }
    }

    private static FieldBoost boost(String field) {
        return switch (field) {
            case "tool" -> FieldBoost.TOOL;
            case "ctx_hash" -> FieldBoost.HASH;
            case "pattern_name", "signature", "subject", "tags" -> FieldBoost.TITLE;
            case "action", "error", "pattern_avoid", "canonical", "content", "key_steps", "triple" -> FieldBoost.TEXT;
            case "id", "ts" -> FieldBoost.ONCE;
            default -> FieldBoost.DETAIL;
        };
    }
}
