package dev.xmem.spi;

import static org.assertj.core.api.Assertions.assertThat;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingRegistry;
import com.knuddels.jtokkit.api.EncodingType;
import dev.xmem.testing.TokenEstimatorContract;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract, and the error relative to real tokenizers on the corpus described in its README.md. */
final class HeuristicTokenEstimatorTest extends TokenEstimatorContract {
    private static final EncodingRegistry TOKENIZERS = Encodings.newLazyEncodingRegistry();
    private static final int[] PAGE_ENTRIES = {1, 2, 3, 5, 8, 10, 15, 20, 35, 50, 70};

    @Override
    protected TokenEstimator estimator() {
        return TokenEstimator.heuristic();
    }

    @Override
    protected long mostTokens(String text) {
        return super.mostTokens(text) - 8;
    }

    @ParameterizedTest
    @EnumSource(names = {"O200K_BASE", "CL100K_BASE"})
    void estimate_storedLines_p95Within10Percent(EncodingType tokenizer) throws IOException {
        Errors fit = errors(tokenizer, lines("fit"));
        assertThat(fit.p95()).isLessThan(0.10);
        Errors heldOut = errors(tokenizer, lines("held-out"));
        assertThat(heldOut.p95()).isLessThan(0.10);
        assertThat(heldOut.mostOver()).isLessThan(0.16);
        assertThat(heldOut.mostUnder()).isLessThan(0.04);
    }

    @ParameterizedTest
    @EnumSource(names = {"O200K_BASE", "CL100K_BASE"})
    void estimate_cards_p95Within10Percent(EncodingType tokenizer) throws IOException {
        Errors heldOut = errors(tokenizer, cards("held-out"));
        assertThat(heldOut.p95()).isLessThan(0.10);
        assertThat(heldOut.mostUnder()).isLessThan(0.08);
    }

    @ParameterizedTest
    @EnumSource(names = {"O200K_BASE", "CL100K_BASE"})
    void estimate_pages_p95Within10Percent(EncodingType tokenizer) throws IOException {
        for (String half : List.of("fit", "held-out")) {
            List<String> pages = new ArrayList<>();
            for (int i = 0; i < 44; i++) {
                pages.addAll(pages(half, PAGE_ENTRIES[i % PAGE_ENTRIES.length], new Random(i)));
            }
            Errors errors = errors(tokenizer, pages);
            assertThat(errors.p95()).isLessThan(0.08);
            assertThat(errors.mostOver()).isLessThan(0.14);
            assertThat(errors.mostUnder()).isLessThan(0.05);
        }
    }

    /** The estimate is nearly additive, so that a page can be summed from its entries. */
    @Property
    void estimate_twoParts_sumToAboutTheWhole(@ForAll("texts") String first, @ForAll("texts") String second) {
        int parts = estimator().estimate(first) + estimator().estimate(second);
        assertThat(estimator().estimate(first + second)).isBetween(parts - 4, parts + 3);
    }

    @Test
    @Tag("soak")
    void estimate_moreTokensThanAnInt_largestInt() {
        assertThat(estimator().estimate(new Longest("é-"))).isEqualTo(Integer.MAX_VALUE);
    }

    /** Entries in the four layouts of a page. */
    private static List<String> pages(String half, int entries, Random random) throws IOException {
        List<Integer> picked =
                new ArrayList<>(IntStream.range(0, lines(half).size()).boxed().toList());
        Collections.shuffle(picked, random);
        picked = picked.subList(0, entries);
        List<String> lines = picked.stream().map(lines(half)::get).toList();
        List<String> cards = picked.stream().map(cards(half)::get).toList();
        List<String> list = picked.stream()
                .map(read(half + "-list.txt").lines().toList()::get)
                .toList();
        return List.of(
                String.join("\n", lines) + "\n",
                String.join("\n\n", cards) + "\n",
                "{\"results\":[" + String.join(",", lines) + "],\"total\":" + entries + "}",
                "Found " + entries + " entries:\n\n" + String.join("\n", list) + "\n");
    }

    private static List<String> lines(String half) throws IOException {
        return read(half + "-lines.ndjson").lines().toList();
    }

    private static List<String> cards(String half) throws IOException {
        return List.of(read(half + "-cards.txt").split("\f\n", -1));
    }

    private static String read(String file) throws IOException {
        try (InputStream in = HeuristicTokenEstimatorTest.class.getResourceAsStream("tokens/" + file)) {
            return new String(Objects.requireNonNull(in, file).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static Errors errors(EncodingType tokenizer, List<String> texts) {
        Encoding encoding = TOKENIZERS.getEncoding(tokenizer);
        return new Errors(texts.stream()
                .mapToDouble(t -> TokenEstimator.heuristic().estimate(t) / (double) encoding.countTokensOrdinary(t) - 1)
                .sorted()
                .toArray());
    }

    /** Relative errors in ascending order; negative for underestimates. */
    private record Errors(double... ascending) {
        double p95() {
            double[] sizes = Arrays.stream(ascending).map(Math::abs).sorted().toArray();
            return sizes[sizes.length * 95 / 100];
        }

        double mostOver() {
            return ascending[ascending.length - 1];
        }

        double mostUnder() {
            return -ascending[0];
        }
    }

    /** A text of the maximum length of a char sequence that repeats another one. */
    private record Longest(String unit) implements CharSequence {
        @Override
        public int length() {
            return Integer.MAX_VALUE;
        }

        @Override
        public char charAt(int index) {
            return unit.charAt(index % unit.length());
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            throw new UnsupportedOperationException();
        }
    }

    /** Whoever changes a result also changes the id, and these figures. */
    @Test
    void estimate_anyText_isThatOfItsId() {
        assertThat(estimator().id()).isEqualTo("class-1");
        String chars = "abcxyzABZ éÉß0123459 \t\n\r.,:;-_=+/\\\\\"'()[]{}<>#`~—…漢字한Жλ\uD83D\uDE00\0\u007F";
        Random random = new Random(5);
        int sum = 0;
        int hash = 0;
        for (int i = 0; i < 5000; i++) {
            StringBuilder text = new StringBuilder();
            int runs = random.nextInt(40);
            for (int k = 0; k < runs; k++) {
                String c = String.valueOf(chars.charAt(random.nextInt(chars.length())));
                text.append(c.repeat(random.nextInt(4) == 0 ? 1 + random.nextInt(17) : 1));
            }
            int tokens = estimator().estimate(text);
            sum += tokens;
            hash = 31 * hash + tokens;
        }
        assertThat(sum).isEqualTo(121_546);
        assertThat(hash).isEqualTo(-1_083_783_738);
    }
}
