package dev.xmem.core.store.terms;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;

/** The posting lists of several parts, read one after the other as one list. */
final class PostingsOfPartsTest {
    private static final int PART_LINES = 300;

    /** The lists of the parts that have a posting. */
    private record Parts(List<Integer> numbers, List<byte[]> lists) implements PostingsIterator.Chunks {
        static Parts of(Set<Integer> ordinals) {
            Parts parts = new Parts(new ArrayList<>(), new ArrayList<>());
            for (int part = 0; part < 10; part++) {
                ForwardIndex words = new ForwardIndex(PART_LINES);
                for (int line = 0; line < PART_LINES; line++) {
                    int ordinal = part * PART_LINES + line;
                    if (ordinals.contains(ordinal)) {
                        words.add(line, fields -> fields.text(FieldBoost.TEXT, "disk ".repeat(1 + ordinal % 40)));
                    }
                }
                int number = part;
                words.invert(term -> {
                    String text = new String(term.terms(), term.start(), term.end() - term.start(), ISO_8859_1);
                    if (text.equals("disk")) {
                        parts.numbers.add(number);
                        parts.lists.add(Arrays.copyOfRange(term.postings(), term.from(), term.to()));
                    }
                });
            }
            return parts;
        }

        @Override
        public int chunks() {
            return numbers.size();
        }

        @Override
        public int base(int number) {
            return numbers.get(number) * PART_LINES;
        }

        @Override
        public int limit(int number) {
            return base(number) + PART_LINES;
        }

        @Override
        public byte[] bytes(int number) {
            return lists.get(number);
        }
    }

    private static @Nullable PostingsIterator inMemory(Set<Integer> ordinals, int cutoff) {
        MemoryTextIndex words = new MemoryTextIndex();
        for (int ordinal : ordinals) {
            words.add(ordinal, fields -> fields.text(FieldBoost.TEXT, "disk ".repeat(1 + ordinal % 40)));
        }
        TextIndex.TermPostings disk = words.find("disk");
        return disk == null ? null : disk.iterator(cutoff);
    }

    private static List<String> rest(@Nullable PostingsIterator postings) {
        List<String> all = new ArrayList<>();
        for (; postings != null && postings.ordinal() != PostingsIterator.DONE; postings.next()) {
            all.add(postings.ordinal() + ":" + postings.weight());
        }
        return all;
    }

    @Property(tries = 60)
    void iterator_overParts_isThatOverAll(
            @ForAll @Size(max = 40) Set<@IntRange(max = 2_999) Integer> some,
            @ForAll @IntRange(max = 3_000) int cutoff,
            @ForAll @Size(max = 4) List<@IntRange(max = 3_100) Integer> skips,
            @ForAll @IntRange(max = 3_000) int taken) {
        Set<Integer> ordinals = new TreeSet<>(some);
        Parts parts = Parts.of(ordinals);
        assertThat(rest(PostingsIterator.over(parts, cutoff))).isEqualTo(rest(inMemory(ordinals, cutoff)));
        PostingsIterator one = PostingsIterator.over(parts, cutoff);
        PostingsIterator other = inMemory(ordinals, cutoff);
        assertThat(one == null).isEqualTo(other == null);
        if (one == null || other == null) {
            return;
        }
        for (int skip : new TreeSet<>(skips)) {
            one.skipTo(skip);
            other.skipTo(skip);
            assertThat(one.ordinal()).isEqualTo(other.ordinal());
        }
        int[] lines = new int[3_000];
        byte[] weights = new byte[3_000];
        assertThat(one.take(taken, lines, weights)).isEqualTo(other.take(taken, new int[3_000], new byte[3_000]));
        assertThat(rest(one)).isEqualTo(rest(other));
    }

    /** Next decodes a posting at a time; the others, postings of a byte eight at a time. */
    @Property(tries = 200)
    void skipToAndTake_anyDistancesAndWeights_areThoseOfNext(@ForAll long seed) {
        Random random = new Random(seed);
        int widest = 1 << random.nextInt(9);
        int heaviest = 1 + random.nextInt(random.nextBoolean() ? 6 : 12);
        Map<Integer, Integer> weights = new TreeMap<>();
        MemoryTextIndex words = new MemoryTextIndex();
        for (int line = random.nextInt(widest); line < 2_000; line += 1 + random.nextInt(widest)) {
            int weight = 1 + random.nextInt(heaviest);
            weights.put(line, weight);
            words.add(line, fields -> fields.text(FieldBoost.DETAIL, "disk ".repeat(weight)));
        }
        int cutoff = 1 + random.nextInt(2_500);
        TextIndex.TermPostings disk = words.find("disk");
        PostingsIterator postings = disk == null ? null : disk.iterator(cutoff);
        List<String> expected = new ArrayList<>();
        List<String> actual = new ArrayList<>();
        int[] lines = new int[2_000];
        byte[] taken = new byte[2_000];
        for (int to = 0; to < cutoff && postings != null; to += random.nextInt(widest * 40)) {
            postings.skipTo(to);
            actual.add(postings.ordinal() + (postings.ordinal() < cutoff ? ":" + postings.weight() : ""));
            expected.add(first(weights, to, cutoff));
            int from = to;
            to += random.nextInt(widest * 40);
            int until = to;
            int n = postings.take(to, lines, taken);
            for (int i = 0; i < n; i++) {
                actual.add(lines[i] + ":" + taken[i]);
            }
            weights.forEach((line, weight) -> {
                if (line >= from && line < Math.min(until, cutoff)) {
                    expected.add(line + ":" + weight);
                }
            });
            actual.add(postings.ordinal() + (postings.ordinal() < cutoff ? ":" + postings.weight() : ""));
            expected.add(first(weights, to, cutoff));
        }
        assertThat(actual).isEqualTo(expected);
    }

    private static String first(Map<Integer, Integer> weights, int least, int cutoff) {
        return weights.entrySet().stream()
                .filter(posting -> posting.getKey() >= least && posting.getKey() < cutoff)
                .map(posting -> posting.getKey() + ":" + posting.getValue())
                .findFirst()
                .orElse(String.valueOf(PostingsIterator.DONE));
    }
}
