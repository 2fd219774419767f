package dev.xmem.core.store.terms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.core.store.segment.SectionFile;
import dev.xmem.core.store.segment.SectionWriter;
import dev.xmem.core.store.segment.SegmentTextIndex;
import dev.xmem.core.text.analysis.Analyzer;
import dev.xmem.core.text.analysis.WordChars;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Words that an attacker chose so that simple polynomial hashes of them are equal. */
class HashFloodingTest {
    private static final int BLOCKS = 14;
    private static final int WORDS = 1 << BLOCKS;
    private static final int WORDS_A_LINE = 8;

    private static String word(int number, String zero, String one) {
        StringBuilder word = new StringBuilder();
        for (int i = 0; i < BLOCKS; i++) {
            word.append((number >> i & 1) == 0 ? zero : one);
        }
        return word.toString();
    }

    private static int sum(String word, int factor) {
        return word.chars().reduce(0, (sum, c) -> sum * factor + c);
    }

    @ParameterizedTest
    @ValueSource(strings = {"31 an c0", "33 bz d8"})
    void hashes_ofWordsWithEqualSums_lieApart(String how) {
        String[] blocks = how.split(" ");
        int factor = Integer.parseInt(blocks[0]);
        Set<Integer> sums = new HashSet<>();
        Set<Integer> hashes = new HashSet<>();
        BitSet slots = new BitSet();
        for (int i = 0; i < WORDS; i++) {
            char[] word = word(i, blocks[1], blocks[2]).toCharArray();
            sums.add(sum(new String(word), factor));
            int hash = WordChars.hash(word, word.length);
            hashes.add(hash);
            int slot = hash & 2 * WORDS - 1;
            slots.set(slots.nextClearBit(slot));
        }
        assertThat(sums).hasSize(1);
        assertThat(hashes).hasSizeGreaterThan(WORDS - 8);
        int longest = 0;
        for (int from = slots.nextSetBit(0); from >= 0; from = slots.nextSetBit(slots.nextClearBit(from))) {
            longest = Math.max(longest, slots.nextClearBit(from) - from);
        }
        assertThat(longest)
                .as("longest run of occupied slots in a table that is half full")
                .isLessThan(256);
    }

    @ParameterizedTest
    @ValueSource(strings = {"an c0", "0an 0c0"})
    void postings_ofWordsWithEqualSums_areThoseOfAMap(String how) throws IOException {
        String[] blocks = how.split(" ");
        int lines = WORDS / WORDS_A_LINE;
        MemoryTextIndex inMemory = new MemoryTextIndex();
        ForwardIndex forward = new ForwardIndex(lines);
        Map<String, BitSet> expected = new TreeMap<>();
        for (int i = 0; i < lines; i++) {
            int line = i;
            StringBuilder text = new StringBuilder();
            for (int k = 0; k < WORDS_A_LINE; k++) {
                // each occurs again in a later line
                text.append(word(WORDS_A_LINE * line + k, blocks[0], blocks[1])).append(' ');
                text.append(word((WORDS_A_LINE * line + k) / 3, blocks[0], blocks[1]))
                        .append(' ');
            }
            inMemory.add(line, fields -> fields.text(FieldBoost.TEXT, text.toString()));
            forward.add(line, fields -> fields.text(FieldBoost.TEXT, text.toString()));
            for (Analyzer.Term term : Analyzer.terms(text.toString())) {
                expected.computeIfAbsent(term.text(), t -> new BitSet()).set(line);
            }
        }
        expected.forEach(
                (term, in) -> assertThat(lines(inMemory, term, lines)).as(term).isEqualTo(in));
        SectionWriter out = new SectionWriter();
        SegmentTextIndex.write(forward, out);
        SegmentTextIndex sealed = new SegmentTextIndex(SectionFile.of(ByteBuffer.wrap(out.finish())), lines);
        assertThat(expected).hasSizeGreaterThan(WORDS - 1);
        expected.forEach((term, in) -> {
            assertThat(lines(sealed, term, lines)).as(term).isEqualTo(in);
        });
        char[] absent = new char[2 * BLOCKS];
        Arrays.fill(absent, 'a');
        assertThat(sealed.find(new String(absent))).isNull();
    }

    private static BitSet lines(TextIndex words, String term, int cutoff) {
        BitSet all = new BitSet();
        TextIndex.TermPostings found = words.find(term);
        PostingsIterator cursor = found == null ? null : found.iterator(cutoff);
        for (; cursor != null && cursor.ordinal() != PostingsIterator.DONE; cursor.next()) {
            all.set(cursor.ordinal());
        }
        return all;
    }
}
