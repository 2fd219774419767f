package dev.xmem.core.store.terms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

final class ForwardIndexTest {
    /** The lines and weights of each term. */
    private static Map<String, String> inverted(ForwardIndex index) {
        Map<String, String> all = new TreeMap<>();
        index.invert(term -> {
            byte[] postings = Arrays.copyOfRange(term.postings(), term.from(), term.to());
            StringBuilder text = new StringBuilder();
            PostingsIterator next = PostingsIterator.over(postings, 0, Integer.MAX_VALUE);
            for (int i = 0; i < term.count(); i++, next.next()) {
                text.append(next.ordinal()).append(':').append(next.weight()).append(' ');
            }
            assertThat(next.ordinal()).isEqualTo(PostingsIterator.DONE);
            String name =
                    new String(term.terms(), term.start(), term.end() - term.start(), StandardCharsets.ISO_8859_1);
            assertThat(all.put(name, text.toString())).isNull();
        });
        return all;
    }

    /** The first time a text is analyzed, the second time recorded, then read from the cache. */
    @Property(tries = 200)
    void entry_thatRecurs_hasTheTermsOfTheFirst(@ForAll("texts") List<String> texts) {
        ForwardIndex index = new ForwardIndex(9);
        ForwardIndex fresh = new ForwardIndex(9);
        for (int line = 0; line < 9; line += 2) {
            add(index, line, texts);
            ForwardIndex one = new ForwardIndex(9);
            add(one, line, texts);
            assertThat(index.words(line)).isEqualTo(one.words(line));
        }
        add(fresh, 0, texts);
        Map<String, String> expected = inverted(fresh);
        expected.replaceAll((term, first) -> {
            String weight = first.substring(1);
            return "0" + weight + "2" + weight + "4" + weight + "6" + weight + "8" + weight;
        });
        assertThat(inverted(index)).isEqualTo(expected);
    }

    private static void add(ForwardIndex index, int line, List<String> texts) {
        index.add(line, fields -> {
            for (int i = 0; i < texts.size(); i++) {
                fields.text(FieldBoost.values()[i % FieldBoost.values().length], texts.get(i));
            }
        });
    }

    @Test
    void entry_thatFails_leavesNothing() {
        ForwardIndex index = new ForwardIndex(4);
        add(index, 0, List.of("", "", "", "quota"));
        assertThatThrownBy(() -> index.add(1, fields -> {
                    fields.text(FieldBoost.TEXT, "quota");
                    fields.text(FieldBoost.TEXT, "broken");
                    throw new IllegalStateException("stop");
                }))
                .isInstanceOf(IllegalStateException.class);
        add(index, 1, List.of("", "", "", "quota"));
        add(index, 3, List.of("", "", "", "quota"));
        assertThat(index.isEntry(1)).isTrue();
        assertThat(index.isEntry(2)).isFalse();
        assertThatThrownBy(() -> add(index, 3, List.of())).isInstanceOf(IllegalArgumentException.class);
        assertThat(inverted(index)).isEqualTo(Map.of("quota", "0:3 1:3 3:3 "));
    }

    @Provide
    Arbitrary<List<String>> texts() {
        Arbitrary<String> word = Arbitraries.of(
                "not",
                "found",
                "git",
                "push",
                "src/main/App.java",
                "don't",
                "E0308",
                "sqlite3",
                "already exists",
                "接続");
        Arbitrary<String> text = word.list().ofMaxSize(30).map(words -> String.join(" ", words));
        return Arbitraries.oneOf(text, Arbitraries.strings().all().ofMaxLength(30))
                .list()
                .ofMaxSize(12);
    }
}
