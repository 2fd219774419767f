package dev.xmem.core.store.index;

import dev.xmem.Entry;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.store.log.LogFile;
import dev.xmem.core.store.segment.BlockPostings;
import dev.xmem.core.store.segment.ConcatenatedPostings;
import dev.xmem.core.store.segment.CorruptSegmentException;
import dev.xmem.core.store.segment.IndexedField;
import dev.xmem.core.store.segment.LineColumns;
import dev.xmem.core.store.segment.NgramFilter;
import dev.xmem.core.store.segment.Postings;
import dev.xmem.core.store.segment.SegmentText;
import dev.xmem.core.store.segment.TextIndexWriter;
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
 * The words and trigrams of a log's lines. Those of the newest lines are looked up when a request first needs them, not when
 * a line is added; those of a stretch without a segment for them, too. Thread-safe.
 */
final class TextIndexes {
    private static final String ANY = "";
    /** Fewer new lines are looked through. */
    private static final int MANY_LINES = 512;

    private final LogFile file;
    private final LineCodec codec;
    private final SegmentSealing sealer;
    private final ReentrantLock adding = new ReentrantLock();

    TextIndexes(LogFile file, LineCodec codec, SegmentSealing sealer) {
        this.file = file;
        this.codec = codec;
        this.sealer = sealer;
    }

    /** The words of all lines below a count. */
    List<LogSlice.Part> words(SegmentList now, int count) throws IOException {
        List<LogSlice.Part> words = new ArrayList<>();
        for (Segment stretch : now.full()) {
            words.add(new LogSlice.Part(words(stretch), stretch.number() << now.shift()));
        }
        ActiveSegment growing = now.growing();
        int base = now.growingBase();
        if (growing.head() != null) {
            words.add(new LogSlice.Part(words(growing.head()), base));
        }
        int first = base + growing.headCount();
        words.add(new LogSlice.Part(words(growing, count - first), first));
        return words;
    }

    private MemoryTextIndex words(ActiveSegment growing, int count) throws IOException {
        MemoryTextIndex known = growing.words();
        if (known != null && known.end() >= count) {
            return known;
        }
        adding.lock();
        try {
            known = growing.words();
            MemoryTextIndex words = known == null ? new MemoryTextIndex() : known;
            int end = Math.min(count, growing.unsealed());
            for (int line = words.end(); line < end; line++) {
                int in = growing.headCount() + line;
                if (!isEvent(growing, in)) {
                    byte[] bytes = file.readLine(growing.offset(in), growing.length(in));
                    words.add(line, fields -> FieldBoosts.visit(codec, bytes, fields));
                }
            }
            growing.words(words);
            return words;
        } finally {
            adding.unlock();
        }
    }

    /** Whether a line is an outcome or an amendment: no entry of its own, but a word about one. */
    static boolean isEvent(LineColumns lines, int line) {
        return lines.kind(line) == Entry.Kind.UNKNOWN
                && lines.lines(IndexedField.EVENT, ANY).contains(line);
    }

    private TextIndex words(Segment stretch) throws IOException {
        SegmentText known = text(stretch);
        try {
            return known.words();
        } catch (CorruptSegmentException e) {
            return inPlaceOf(known, stretch).words();
        }
    }

    private NgramFilter grams(Segment stretch) throws IOException {
        SegmentText known = text(stretch);
        try {
            return known.grams();
        } catch (CorruptSegmentException e) {
            return inPlaceOf(known, stretch).grams();
        }
    }

    /** Makes the texts of a stretch unless they are there. */
    SegmentText text(Segment stretch) throws IOException {
        SegmentText known = stretch.text() != null ? stretch.text() : sealer.text(stretch);
        if (known != null) {
            stretch.text(known);
            return known;
        }
        adding.lock();
        try {
            known = stretch.text();
            if (known == null) {
                known = read(stretch);
            }
            stretch.text(known);
            return known;
        } finally {
            adding.unlock();
        }
    }

    /** Makes texts anew that turned out to be damaged, unless somebody did meanwhile. */
    private SegmentText inPlaceOf(SegmentText damaged, Segment stretch) throws IOException {
        adding.lock();
        try {
            SegmentText known = stretch.text();
            if (known == null || known == damaged) {
                known = read(stretch);
                stretch.text(known);
            }
            return known;
        } finally {
            adding.unlock();
        }
    }

    private SegmentText read(Segment stretch) throws IOException {
        sealer.sealIfThereIsRoom(stretch);
        LineColumns lines = stretch.lines();
        TextIndexWriter words = new TextIndexWriter(lines.count());
        NgramFilter.Builder grams = new NgramFilter.Builder(lines.count());
        Postings events = lines.lines(IndexedField.EVENT, ANY);
        for (int i = 0; i < lines.count(); i++) {
            int line = i;
            byte[] bytes = file.readLine(lines.offset(line), lines.length(line));
            if (events.contains(line)) {
                add(grams, line, bytes);
            } else {
                words.add(
                        line,
                        fields -> FieldBoosts.visit(codec, bytes, (field, in, from, length) -> {
                            fields.text(field, in, from, length);
                            grams.add(line, in, from, length);
                        }));
            }
        }
        return sealer.text(stretch, words, grams);
    }

    /** Lines of which some may hold a text, and outside of which none does; null if nothing is known of the text. */
    @Nullable Postings mayHold(SegmentList now, String text) throws IOException {
        ConcatenatedPostings.Builder all = new ConcatenatedPostings.Builder();
        RequiredTerms inner = RequiredTerms.of(text);
        boolean some = false;
        for (Segment stretch : now.full()) {
            some |= add(stretch, stretch.number() << now.shift(), text, inner, all);
        }
        ActiveSegment growing = now.growing();
        if (growing.head() != null) {
            some |= add(growing.head(), now.growingBase(), text, inner, all);
        }
        int room = (1 << now.shift()) - growing.headCount();
        BlockPostings blocks =
                growing.unsealed() < MANY_LINES ? null : grams(growing, room).mayHold(text);
        all.add(
                now.growingBase() + growing.headCount(),
                blocks == null ? BlockPostings.all(room) : blocks.andFrom(growing.gramsEnd()));
        return some || blocks != null ? all.build() : null;
    }

    /** Adds the lines of a stretch that may hold a text; false if nothing is known of it there. */
    private boolean add(Segment stretch, int base, String text, RequiredTerms inner, ConcatenatedPostings.Builder all)
            throws IOException {
        int lines = stretch.lines().count();
        BlockPostings blocks = stretch.hasText() ? grams(stretch).mayHold(text) : null;
        if (blocks == null) {
            all.add(base, BlockPostings.all(lines));
        } else if (!blocks.isEmpty()) {
            BitSet exact = inner.in(words(stretch));
            all.add(base, exact == null ? blocks : Postings.of(within(blocks, exact, stretch)));
        }
        return blocks != null;
    }

    /** The lines of some blocks that have all words, and those that are too long for all their words to be known. */
    private static IntStream within(BlockPostings blocks, BitSet exact, Segment stretch) {
        exact.or(stretch.longLines());
        return exact.stream().filter(blocks::contains);
    }

    private NgramFilter.Builder grams(ActiveSegment growing, int room) throws IOException {
        adding.lock();
        try {
            NgramFilter.Builder grams = growing.grams();
            if (grams == null) {
                grams = new NgramFilter.Builder(room);
            }
            int count = growing.unsealed();
            for (int line = growing.gramsEnd(); line < count; line++) {
                int in = growing.headCount() + line;
                add(grams, line, file.readLine(growing.offset(in), growing.length(in)));
            }
            grams.flush();
            growing.grams(grams, count);
            return grams;
        } finally {
            adding.unlock();
        }
    }

    private void add(NgramFilter.Builder grams, int line, byte[] bytes) {
        FieldBoosts.visit(codec, bytes, (field, in, from, length) -> grams.add(line, in, from, length));
    }
}
