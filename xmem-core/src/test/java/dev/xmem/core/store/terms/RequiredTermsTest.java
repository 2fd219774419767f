package dev.xmem.core.store.terms;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

class RequiredTermsTest {
    private static MemoryTextIndex index(String... texts) {
        MemoryTextIndex index = new MemoryTextIndex();
        for (int i = 0; i < texts.length; i++) {
            String text = texts[i];
            index.add(i, fields -> fields.text(FieldBoost.TEXT, text));
        }
        return index;
    }

    private static BitSet in(String text, String... texts) {
        return RequiredTerms.of(text).in(index(texts));
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.of(
                        "permission",
                        "denied",
                        "not",
                        "can't",
                        "the",
                        "PushRejected",
                        "a/b/c.txt",
                        "node_modules",
                        "E0308",
                        "b'x12'",
                        "isn't",
                        "fooBar7",
                        "python3",
                        "c++",
                        "v1.2.3",
                        "don",
                        "x",
                        " ",
                        " ",
                        " ",
                        ": ",
                        ", ",
                        "(",
                        ")",
                        "\"",
                        "-",
                        "_",
                        ".",
                        "/",
                        "\\",
                        "'",
                        "é",
                        "ﬁ",
                        "日本",
                        "\u0301",
                        "\n",
                        "=",
                        "+",
                        "no",
                        "without",
                        "FAILED")
                .list()
                .ofMaxSize(24)
                .map(words -> String.join("", words));
    }

    @Property(tries = 4000)
    void lines_thatContainAText_haveItsRequiredTerms(
            @ForAll("texts") String text,
            @ForAll @IntRange(max = 200) int from,
            @ForAll @IntRange(max = 200) int length,
            @ForAll("texts") String before,
            @ForAll("texts") String behind) {
        int begin = Math.min(from, text.length());
        String part = text.substring(begin, Math.min(text.length(), begin + length));
        BitSet found = in(part, text, before + part + behind);
        assertThat(found == null || found.cardinality() == 2)
                .as("%s in %s and between %s and %s", part, text, before, behind)
                .isTrue();
    }

    @Example
    void lines_withoutAPartOfAPath_areLeftOut() {
        String[] lines = {"in src/ledger-worker3/handler7.ts", "in src/ledger-worker4/handler7.ts", "in ledger"};
        assertThat(in("ledger-worker3/handler7", lines)).isEqualTo(BitSet.valueOf(new long[] {0b001}));
        assertThat(in("/worker", lines)).isNull();
        assertThat(in("b'x'", "b'x'")).isNull();
        assertThat(in("1.22.3", "1.22.3")).isNull();
    }

    @Example
    void lines_withoutARequiredTerm_areLeftOut() {
        assertThat(in("git push origin main", "git push origin main", "git pull origin main", "pulled from origin"))
                .isEqualTo(BitSet.valueOf(new long[] {0b001}));
        assertThat(in("permission denied", "permission denied")).isNull();
        assertThat(in("is of the", "is of the")).isNull();
        assertThat(in("wo ist däs Wort hier", "wo ist däs Wort hier")).isNull();
    }
}
