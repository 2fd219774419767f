package dev.xmem.core.answer.render;

import dev.xmem.spi.TokenEstimator;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.ToIntFunction;

/** Ways to count that differ as much as estimators can. */
public final class Estimators {
    public static final TokenEstimator CHARS_BY_FOUR = of("chars/4", text -> (text.length() + 3) / 4);
    public static final TokenEstimator BYTES = of("bytes", text -> text.getBytes(StandardCharsets.UTF_8).length);
    public static final TokenEstimator WORDS = of("words", Estimators::words);
    public static final TokenEstimator SEVEN_A_CHAR = of("7 a char", text -> 7 * text.length());
    /** What it says of parts is far above what it says of the whole. */
    public static final TokenEstimator BLOCKS = of("blocks of 64", text -> 16 * ((text.length() + 63) / 64));

    public static final TokenEstimator HEURISTIC = TokenEstimator.heuristic();

    /** All of them. */
    public static final List<TokenEstimator> ALL =
            List.of(HEURISTIC, CHARS_BY_FOUR, BYTES, WORDS, SEVEN_A_CHAR, BLOCKS);

    private Estimators() {}

    private static int words(String text) {
        int words = 0;
        boolean inside = false;
        for (int i = 0; i < text.length(); i++) {
            boolean blank = Character.isWhitespace(text.charAt(i));
            words += !blank && !inside ? 1 : 0;
            inside = !blank;
        }
        return words;
    }

    public static TokenEstimator of(String id, ToIntFunction<String> count) {
        return new TokenEstimator() {
            @Override
            public String id() {
                return id;
            }

            @Override
            public int estimate(CharSequence text) {
                return count.applyAsInt(text.toString());
            }

            @Override
            public String toString() {
                return id;
            }
        };
    }
}
