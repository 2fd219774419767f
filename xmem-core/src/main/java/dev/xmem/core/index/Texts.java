package dev.xmem.core.index;

import dev.xmem.Entry;
import dev.xmem.core.log.LogFile;
import dev.xmem.core.record.LineCodec;
import dev.xmem.core.segment.BadSegment;
import dev.xmem.core.segment.Blocks;
import dev.xmem.core.segment.Field;
import dev.xmem.core.segment.Grams;
import dev.xmem.core.segment.Joined;
import dev.xmem.core.segment.Lines;
import dev.xmem.core.segment.Postings;
import dev.xmem.core.words.InnerWords;
import dev.xmem.core.words.WordIndex;
import dev.xmem.core.words.WordLines;
import dev.xmem.core.words.WordSearch;
import dev.xmem.core.words.WordsOfLines;
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
final class Texts {
    private static final String ANY = "";
    /** Fewer new lines are looked through. */
    private static final int MANY_LINES = 512;

    private final LogFile file;
    private final LineCodec codec;
    private final Sealer sealer;
    private final ReentrantLock adding = new ReentrantLock();

    Texts(LogFile file, LineCodec codec, Sealer sealer) {
        this.file = file;
        this.codec = codec;
        this.sealer = sealer;
    }

    /** The words of all lines below a count. */
    List<WordSearch.Stretch> words(Stretches now, int count) throws IOException {
        List<WordSearch.Stretch> words = new ArrayList<>();
        for (Stretch stretch : now.full()) {
            words.add(new WordSearch.Stretch(words(stretch), stretch.number() << now.shift()));
        }
        Growing growing = now.growing();
        int base = now.growingBase();
        if (growing.head() != null) {
            words.add(new WordSearch.Stretch(words(growing.head()), base));
        }
        int first = base + growing.headCount();
        words.add(new WordSearch.Stretch(words(growing, count - first), first));
        return words;
    }

    private WordIndex words(Growing growing, int count) throws IOException {
        WordIndex known = growing.words();
        if (known != null && known.end() >= count) {
            return known;
        }
        adding.lock();
        try {
            known = growing.words();
            WordIndex words = known == null ? new WordIndex() : known;
            int end = Math.min(count, growing.unsealed());
            for (int line = words.end(); line < end; line++) {
                int in = growing.headCount() + line;
                if (!isEvent(growing, in)) {
                    byte[] bytes = file.readLine(growing.offset(in), growing.length(in));
                    words.add(line, fields -> FieldClasses.visit(codec, bytes, fields));
                }
            }
            growing.words(words);
            return words;
        } finally {
            adding.unlock();
        }
    }

    /** Whether a line is an outcome or an amendment: no entry of its own, but a word about one. */
    static boolean isEvent(Lines lines, int line) {
        return lines.kind(line) == Entry.Kind.OTHER
                && lines.lines(Field.EVENT, ANY).contains(line);
    }

    private WordLines words(Stretch stretch) throws IOException {
        Text known = text(stretch);
        try {
            return known.words();
        } catch (BadSegment e) {
            return inPlaceOf(known, stretch).words();
        }
    }

    private Grams grams(Stretch stretch) throws IOException {
        Text known = text(stretch);
        try {
            return known.grams();
        } catch (BadSegment e) {
            return inPlaceOf(known, stretch).grams();
        }
    }

    /** Makes the texts of a stretch unless they are there. */
    Text text(Stretch stretch) throws IOException {
        Text known = stretch.text() != null ? stretch.text() : sealer.text(stretch);
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
    private Text inPlaceOf(Text damaged, Stretch stretch) throws IOException {
        adding.lock();
        try {
            Text known = stretch.text();
            if (known == null || known == damaged) {
                known = read(stretch);
                stretch.text(known);
            }
            return known;
        } finally {
            adding.unlock();
        }
    }

    private Text read(Stretch stretch) throws IOException {
        sealer.sealIfThereIsRoom(stretch);
        Lines lines = stretch.lines();
        WordsOfLines words = new WordsOfLines(lines.count());
        Grams.Builder grams = new Grams.Builder(lines.count());
        Postings events = lines.lines(Field.EVENT, ANY);
        for (int i = 0; i < lines.count(); i++) {
            int line = i;
            byte[] bytes = file.readLine(lines.offset(line), lines.length(line));
            if (events.contains(line)) {
                add(grams, line, bytes);
            } else {
                words.add(
                        line,
                        fields -> FieldClasses.visit(codec, bytes, (field, in, from, length) -> {
                            fields.text(field, in, from, length);
                            grams.add(line, in, from, length);
                        }));
            }
        }
        return sealer.text(stretch, words, grams);
    }

    /** Lines of which some may hold a text, and outside of which none does; null if nothing is known of the text. */
    @Nullable Postings mayHold(Stretches now, String text) throws IOException {
        Joined.Builder all = new Joined.Builder();
        InnerWords inner = InnerWords.of(text);
        boolean some = false;
        for (Stretch stretch : now.full()) {
            some |= add(stretch, stretch.number() << now.shift(), text, inner, all);
        }
        Growing growing = now.growing();
        if (growing.head() != null) {
            some |= add(growing.head(), now.growingBase(), text, inner, all);
        }
        int room = (1 << now.shift()) - growing.headCount();
        Blocks blocks =
                growing.unsealed() < MANY_LINES ? null : grams(growing, room).mayHold(text);
        all.add(
                now.growingBase() + growing.headCount(),
                blocks == null ? Blocks.all(room) : blocks.andFrom(growing.gramsEnd()));
        return some || blocks != null ? all.build() : null;
    }

    /** Adds the lines of a stretch that may hold a text; false if nothing is known of it there. */
    private boolean add(Stretch stretch, int base, String text, InnerWords inner, Joined.Builder all)
            throws IOException {
        int lines = stretch.lines().count();
        Blocks blocks = stretch.hasText() ? grams(stretch).mayHold(text) : null;
        if (blocks == null) {
            all.add(base, Blocks.all(lines));
        } else if (!blocks.isEmpty()) {
            BitSet exact = inner.in(words(stretch));
            all.add(base, exact == null ? blocks : Postings.of(within(blocks, exact, stretch)));
        }
        return blocks != null;
    }

    /** The lines of some blocks that have all words, and those that are too long for all their words to be known. */
    private static IntStream within(Blocks blocks, BitSet exact, Stretch stretch) {
        exact.or(stretch.longLines());
        return exact.stream().filter(blocks::contains);
    }

    private Grams.Builder grams(Growing growing, int room) throws IOException {
        adding.lock();
        try {
            Grams.Builder grams = growing.grams();
            if (grams == null) {
                grams = new Grams.Builder(room);
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

    private void add(Grams.Builder grams, int line, byte[] bytes) {
        FieldClasses.visit(codec, bytes, (field, in, from, length) -> grams.add(line, in, from, length));
    }
}
