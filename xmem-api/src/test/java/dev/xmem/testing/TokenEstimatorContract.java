package dev.xmem.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.spi.TokenEstimator;
import java.nio.CharBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/**
 * The contract test of {@link TokenEstimator}. A provider's test extends it, on JUnit 5 with jqwik:
 *
 * <pre>{@code
 * final class MyEstimatorTest extends TokenEstimatorContract {
 *     protected TokenEstimator estimator() {
 *         return new MyEstimator();
 *     }
 * }
 * }</pre>
 */
public abstract class TokenEstimatorContract {
    private static final int MEBIBYTE = 1 << 20;

    /** The estimator under test: always the same one, or a new one with the same results. */
    protected abstract TokenEstimator estimator();

    /**
     * The number of tokens by which a text may cost less than one of its prefixes. Default 0. Larger only for a real
     * tokenizer, which can merge the last chars of the prefix with the next ones; then a page may end that much early.
     */
    protected int joinedTokens() {
        return 0;
    }

    /** The maximum result: one token per byte of UTF-8, as in byte-level BPE, plus a few at the start and end. */
    protected long mostTokens(String text) {
        return utf8Bytes(text) + 8;
    }

    @Test
    public void id_always_notBlankAndStable() {
        assertThat(estimator().id()).isNotBlank().isEqualTo(estimator().id());
    }

    @Test
    public void estimate_emptyText_zero() {
        assertThat(estimator().estimate("")).isZero();
        assertThat(estimator().estimate(new StringBuilder())).isZero();
    }

    @Property
    public void estimate_anyText_betweenZeroAndItsBytes(@ForAll("texts") String text) {
        assertThat((long) estimator().estimate(text)).isBetween(0L, mostTokens(text));
    }

    @Property
    public void estimate_anyText_sameEachTimeAndForEachCharSequence(@ForAll("texts") String text) {
        int first = estimator().estimate(text);
        assertThat(estimator().estimate(text)).isEqualTo(first);
        assertThat(estimator().estimate(new StringBuilder(text))).isEqualTo(first);
        assertThat(estimator().estimate(CharBuffer.wrap(text))).isEqualTo(first);
    }

    /** The estimate is monotonic, so that the longest prefix that fits can be found by search. */
    @Property
    public void estimate_prefix_costsNoMoreThanTheWhole(@ForAll("texts") String text) {
        for (int end = 0; end < text.length(); end++) {
            int beginning = estimator().estimate(text.substring(0, end));
            assertThat(beginning)
                    .isLessThanOrEqualTo(estimator().estimate(text.substring(0, end + 1)) + joinedTokens());
        }
    }

    @Property
    public void estimate_visibleText_notZero(@ForAll("visible") char visible, @ForAll("texts") String text) {
        assertThat(estimator().estimate(String.valueOf(visible))).isPositive();
        assertThat(estimator().estimate(visible + text)).isPositive();
    }

    @Test
    public void estimate_loneSurrogates_accepted() {
        for (String text : List.of("\uD83D", "\uDE00", "a\uD83Db", "\uDE00\uD83D", "\uD83D\uD83D\uDE00", "\\\uD83D")) {
            assertThat((long) estimator().estimate(text)).isBetween(0L, mostTokens(text));
        }
    }

    @Test
    public void estimate_mebibyte_accepted() {
        for (String unit :
                List.of("a", " ", "\n", "=", "7", "é", "漢", "\uD83D", "{\"error\":\"not found\"}\n", "a\\n")) {
            String text = unit.repeat(MEBIBYTE / unit.length());
            assertThat((long) estimator().estimate(text)).isBetween(1L, mostTokens(text));
        }
    }

    @Test
    public void estimate_manyThreads_sameResults() throws Exception {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            texts.add("{\"id\":\"2026-02-14-" + i + "\",\"error\":\"Could not open `file" + i * 7919 + "`\\n\"}");
        }
        TokenEstimator estimator = estimator();
        List<Integer> expected = texts.stream().map(estimator::estimate).toList();
        Callable<List<Integer>> work =
                () -> texts.stream().map(estimator::estimate).toList();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            for (Future<List<Integer>> done : threads.invokeAll(Collections.nCopies(32, work))) {
                assertThat(done.get()).isEqualTo(expected);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** Fragments of entries, ASCII with control characters, and any chars, including lone surrogates. */
    @Provide
    public Arbitrary<String> texts() {
        Arbitrary<String> words = Arbitraries.of(
                "git",
                "Push",
                "error:",
                "\\n",
                "\\\"",
                "\",\"",
                " ",
                "  ",
                "\t",
                "\n",
                "/",
                "-",
                "2026-02-14",
                "0x1F",
                "naïve",
                "getUserName",
                "ECONNREFUSED",
                "==",
                "^^^^",
                "’",
                "漢字",
                "мир",
                "🔍",
                "{\"",
                "\"}]");
        return Arbitraries.oneOf(
                words.list().ofMaxSize(40).map(list -> String.join("", list)),
                Arbitraries.strings().ascii().ofMaxLength(120),
                Arbitraries.strings().withCharRange('\0', '\uFFFF').ofMaxLength(80));
    }

    /** A visible char. */
    @Provide
    public Arbitrary<Character> visible() {
        return Arbitraries.chars()
                .range('!', '~')
                .range('¡', '¬')
                .range('А', 'я')
                .range('一', '龥');
    }

    /** The length of a text in UTF-8; a lone surrogate counts as the three bytes of the replacement character. */
    private static long utf8Bytes(String text) {
        return text.codePoints()
                .mapToLong(c -> c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4)
                .sum();
    }
}
