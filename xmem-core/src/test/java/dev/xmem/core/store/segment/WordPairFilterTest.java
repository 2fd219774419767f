package dev.xmem.core.store.segment;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class WordPairFilterTest {
    private static final List<String> COMMON = List.of("the", "and", "that", "with", "from", "when", "test", "path");
    private static final int LINES = 40 * WordPairFilter.GROUP_LINES + 5;
    private static final int WORDS = 9;

    private static BitSet having(List<String> lines, String text) {
        BitSet groups = new BitSet();
        for (int line = 0; line < lines.size(); line++) {
            if (lines.get(line).contains(text)) {
                groups.set(line / WordPairFilter.GROUP_LINES);
            }
        }
        return groups;
    }

    private static void add(WordPairFilterBuilder builder, int line, String text) {
        char[] in = ("th " + text + " the").toCharArray();
        builder.add(line, in, 3, text.length());
    }

    private static WordPairFilterBuilder builder(List<String> lines, int enough) {
        WordPairFilterBuilder builder = new WordPairFilterBuilder(lines.size(), enough);
        for (int line = 0; line < lines.size(); line++) {
            add(builder, line, lines.get(line));
        }
        return builder;
    }

    private static byte[] segment(WordPairFilterBuilder builder) {
        SectionWriter out = new SectionWriter();
        builder.write(out);
        return out.finish();
    }

    private static WordPairFilter sealed(WordPairFilterBuilder builder, int lines) throws CorruptSegmentException {
        return new WordPairFilter(SectionFile.of(ByteBuffer.wrap(segment(builder))), lines);
    }

    private static List<String> phrases(int lines, Random random) {
        List<String> all = new ArrayList<>();
        for (int line = 0; line < lines; line++) {
            StringBuilder text = new StringBuilder("x" + line);
            for (int k = 0; k < WORDS; k++) {
                // squared, so that the first are in every group and pairs of the last in few
                int word = COMMON.size() * random.nextInt(100) * random.nextInt(100) / 10_000;
                text.append(' ').append(COMMON.get(word));
            }
            all.add(text.toString());
        }
        return all;
    }

    @Provide
    Arbitrary<List<String>> texts() {
        return Arbitraries.of(
                        "the", "The", "and", "a", "of", "é", "without", "with", "th", "日本語", "test", " ", " ", " ", " ",
                        "  ", ", ", "\n", "-", "\"", "\\")
                .list()
                .ofMaxSize(12)
                .map(words -> String.join("", words))
                .list()
                .ofMinSize(1)
                .ofMaxSize(70);
    }

    @Property(tries = 1500)
    void groups_thatHaveAText_areAmongTheReturned(
            @ForAll("texts") List<String> lines,
            @ForAll @IntRange(min = 1, max = 60) int enough,
            @ForAll @IntRange(max = 69) int line,
            @ForAll @IntRange(max = 30) int from,
            @ForAll @IntRange(max = 30) int length,
            @ForAll("texts") List<String> others)
            throws CorruptSegmentException {
        WordPairFilterBuilder builder = builder(lines, enough);
        WordPairFilter sealed = sealed(builder, lines.size());
        List<String> asked = new ArrayList<>(others);
        String whole = lines.get(line % lines.size());
        int begin = Math.min(from, whole.length());
        asked.add(whole.substring(begin, Math.min(whole.length(), begin + length)));
        for (String text : asked) {
            BitSet missing = having(lines, text);
            BitSet possible = sealed.mayHold(text);
            if (possible != null) {
                missing.andNot(possible);
                assertThat(missing.isEmpty()).as("%s in %s", text, lines).isTrue();
                assertThat(possible.length()).isLessThanOrEqualTo((lines.size() - 1) / WordPairFilter.GROUP_LINES + 1);
            }
            BitSet before = builder.mayHold(text);
            assertThat(before == null || before.equals(possible)).isTrue();
        }
    }

    @Test
    void phrasesOfCommonWords_absentOrFarBack_leaveOutMostGroups() throws CorruptSegmentException {
        List<String> lines = phrases(LINES, new Random(3));
        WordPairFilterBuilder builder = builder(lines, 500);
        WordPairFilter sealed = sealed(builder, LINES);
        for (String left : COMMON) {
            for (String right : COMMON) {
                String pair = left + " " + right;
                assertThat(sealed.mayHold(pair))
                        .as(pair)
                        .isEqualTo(builder.mayHold(pair))
                        .isEqualTo(having(lines, pair));
            }
        }
        assertThat(sealed.mayHold("path path path path path"))
                .satisfies(few -> assertThat(few.cardinality()).isLessThan(10));
        // what is known does not depend on where a phrase is cut
        assertThat(sealed.mayHold("ath tes")).isEqualTo(having(lines, "path test"));
        assertThat(sealed.mayHold("th tes")).isNull();
        assertThat(sealed.mayHold("path zebra")).isNull();
        assertThat(sealed.mayHold("path")).isNull();
    }

    @Test
    void builder_thatHasSeenEnough_knowsAllLinesBeforeAndBehind() {
        WordPairFilterBuilder builder = new WordPairFilterBuilder(LINES, 3);
        add(builder, 0, "the path");
        add(builder, 20, "and that");
        assertThat(builder.mayHold("the path")).isNull();
        add(builder, 40, "the path");
        add(builder, 60, "the that");
        assertThat(builder.mayHold("the path")).isEqualTo(BitSet.valueOf(new long[] {0b0101}));
        assertThat(builder.mayHold("the that")).isEqualTo(BitSet.valueOf(new long[] {0b1000}));
        assertThat(builder.mayHold("and path")).isEqualTo(new BitSet());
    }

    @Test
    void segment_ofPairsThatAllDiffer_isSmall() throws CorruptSegmentException {
        WordPairFilterBuilder builder = new WordPairFilterBuilder(LINES);
        long chars = 0;
        for (int line = 0; line < LINES; line++) {
            StringBuilder text = new StringBuilder();
            for (int k = 0; k < 400; k++) {
                int number = 400 * line + k;
                text.append((char) (0x4E00 + number % 1000)).append((char) (0x4E00 + number / 1000 % 1000));
                text.append((char) ('a' + number % 26)).append(' ');
            }
            chars += text.length();
            add(builder, line, text.toString());
        }
        byte[] segment = segment(builder);
        assertThat((long) segment.length).isLessThan(chars / 10);
        assertThat(new WordPairFilter(SectionFile.of(ByteBuffer.wrap(segment)), LINES).mayHold("the path"))
                .isNull();
    }
}
