package dev.xmem.core.text.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TextCacheTest {
    private static int place(TextCache cache, String text, int hash) {
        char[] chars = ("<" + text + ">").toCharArray();
        return cache.find(chars, 1, chars.length - 1, hash);
    }

    private static void add(TextCache cache, String text, int hash, int... numbers) {
        cache.add(text.toCharArray(), 0, text.length(), hash, numbers, numbers.length);
    }

    private static int hash(String text) {
        return WordChars.hash(text.toCharArray(), text.length());
    }

    private static List<Integer> numbers(TextCache cache, String text) {
        int place = place(cache, text, hash(text));
        List<Integer> all = new ArrayList<>();
        for (int at = place == TextCache.NONE ? 0 : cache.begin(place);
                place != TextCache.NONE && at < cache.end(place);
                at += 2) {
            all.add(cache.number(at));
        }
        return all;
    }

    @Test
    void numbers_ofACachedText_areThoseThatWereAdded() {
        TextCache cache = new TextCache(1 << 20);
        for (int i = 0; i < 5_000; i++) {
            add(cache, "text " + i, hash("text " + i), i, -i, Integer.MAX_VALUE - i);
        }
        for (int i = 0; i < 5_000; i++) {
            assertThat(numbers(cache, "text " + i)).containsExactly(i, -i, Integer.MAX_VALUE - i);
        }
        assertThat(numbers(cache, "text 5000")).isEmpty();
    }

    @Test
    void texts_withOneHash_areToldApart() {
        TextCache cache = new TextCache(1 << 16);
        add(cache, "one", 7, 1);
        assertThat(place(cache, "two", 7)).isEqualTo(TextCache.NONE);
        assertThat(place(cache, "on", 7)).isEqualTo(TextCache.NONE);
        add(cache, "two", 7, 2);
        assertThat(cache.number(cache.begin(place(cache, "one", 7)))).isEqualTo(1);
        assertThat(cache.number(cache.begin(place(cache, "two", 7)))).isEqualTo(2);
    }

    @Test
    void fullCache_isEmptied_andUsedAgain() {
        TextCache cache = new TextCache(100);
        for (int i = 1_000; i < 2_000; i++) {
            add(cache, "text " + i, hash("text " + i), i);
            assertThat(numbers(cache, "text " + i)).containsExactly(i);
        }
        assertThat(numbers(cache, "text 1000")).isEmpty();
    }

    @Test
    void textLargerThanTheCache_isNotAdded() {
        TextCache cache = new TextCache(100);
        add(cache, "small", hash("small"), 1);
        String large = "x".repeat(100);
        add(cache, large, hash(large), 1);
        assertThat(numbers(cache, large)).isEmpty();
        assertThat(numbers(cache, "small")).containsExactly(1);
    }

    @Test
    void text_recurs_whenItIsSeenAgain() {
        TextCache cache = new TextCache(100);
        assertThat(cache.recurs(hash("a"))).isFalse();
        assertThat(cache.recurs(hash("a"))).isTrue();
    }
}
