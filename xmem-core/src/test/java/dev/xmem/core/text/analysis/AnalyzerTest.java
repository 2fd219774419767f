package dev.xmem.core.text.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.core.answer.search.ParsedQuery;
import dev.xmem.core.store.terms.FieldBoost;
import dev.xmem.core.store.terms.ForwardIndex;
import dev.xmem.core.store.terms.PostingsIterator;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AnalyzerTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    Pushed                     | push
                    camelCase                  | camel case camelcase
                    HTTPServerError            | http server error #server-error httpservererror
                    snake_case_name            | snak case name snake_case_name
                    left-pad                   | left pad left-pad
                    /src/app/main.py           | src app main py main.py src/app/main.py
                    C:\\Temp\\a1.txt           | temp a1 txt a1.txt temp\\a1.txt
                    package-lock.json          | packag lock json package-lock.json
                    ENOENT                     | enoent #file-not-found
                    E0308                      | e0308
                    ORA-00942                  | ora 00942 #table-not-found ora-00942
                    TS2304                     | ts2304
                    HTTP 404                   | http 404 #http-404 #http-404
                    4.16.3                     | 4.16.3
                    python3                    | python3 python
                    sqlite3                    | sqlite3 sqlit
                    g++                        | g++
                    --no-verify                | verify !verify #tls-untrusted no-verify
                    Größe                      | große
                    café                       | cafe
                    ﬁle                        | file
                    İstanbul                   | istanbul
                    接続拒否                      | 接続 続拒 拒否
                    연결                         | 연결
                    the and of                 |
                    isn't defined              | defin !defin #symbol-not-found
                    can't find                 | find !find
                    docker's                   | docker
                    """)
    void terms_ofOneExpression_areThese(String text, String expected) {
        assertThat(String.join(" ", texts(text))).isEqualTo(expected == null ? "" : expected);
    }

    @ParameterizedTest
    @CsvSource({
        "installs installed installing installation install",
        "directories directory folder dirs",
        "retries retried retry retrying",
        "authentication authenticated authenticate",
        "connections connected connecting connection",
        "configuration configured config",
        "found find finding",
        "missing miss missed",
        "created creates creating create creation",
        "permissions permission",
        "dependencies dependency"
    })
    void forms_ofOneWord_areOneTerm(String forms) {
        assertThat(texts(forms))
                .filteredOn(term -> !term.startsWith("#"))
                .containsOnly(texts(forms).get(0));
    }

    @ParameterizedTest
    @CsvSource({"status", "process", "is", "analysis", "bus", "class", "red", "ring", "feed"})
    void endings_thatAreNoSuffixes_stay(String word) {
        char[] chars = word.toCharArray();
        assertThat(Stemmer.stem(chars, chars.length)).isEqualTo(word.length());
    }

    @Test
    void causes_inErrorsAndInQueries_areTheSame() {
        assertThat(texts("fatal: remote origin already exists.")).contains("#already-exists");
        assertThat(texts("EEXIST")).contains("#already-exists");
        assertThat(texts("relation does not exist")).doesNotContain("#already-exists");
        assertThat(queryTerms("a name that is taken")).contains("#already-exists");
        assertThat(texts("the file was not, in spite of all efforts, found")).doesNotContain("#file-not-found");
    }

    @Test
    void gaps_inPhrases_skipTwoWords() {
        assertThat(texts("fatal: not a git repository")).contains("#not-a-repository");
        assertThat(texts("not one two three four repository")).doesNotContain("#not-a-repository");
    }

    @Property(tries = 300)
    void terms_ofAnyText_areBounded(@ForAll("texts") String text) {
        int[] words = {0};
        new Analyzer(new TermCollector((term, kind, from, to) -> {
                    assertThat(term.length()).isBetween(1, Analyzer.LONGEST_TERM + 1);
                    assertThat(from).isLessThanOrEqualTo(to);
                    words[0] = Math.max(words[0], to);
                }))
                .analyze(text);
        assertThat(words[0]).isLessThanOrEqualTo(Analyzer.MOST_WORDS);
    }

    @Property(tries = 200)
    void analyzer_usedBefore_givesTheSameTerms(@ForAll("texts") String before, @ForAll("texts") String text) {
        Recorder used = new Recorder();
        used.analyzer.analyze(before);
        used.analyzer.analyze(text);
        assertSameAsFreshAnalyzer(used, text);
    }

    private static void assertSameAsFreshAnalyzer(Recorder used, String text) {
        used.recorded.setLength(0);
        used.analyzer.analyze(text);
        Recorder fresh = new Recorder();
        fresh.analyzer.analyze(text);
        assertThat(used.recorded.toString()).isEqualTo(fresh.recorded.toString());
    }

    @Test
    void analyzer_afterCacheOverflow_givesTheSameTerms() {
        Recorder used = new Recorder();
        for (int i = 0; i < 70_000; i++) {
            used.analyzer.analyze("Name" + i + "/part-" + i);
        }
        assertSameAsFreshAnalyzer(used, "not found: Name1/part-1 Name69999/part-69999");
    }

    @Test
    void words_atTheLimit_areCutLikeUncachedOnes() {
        for (String end : List.of("a/b-c_d/eF.g12345", "fooBarBazQux", "not-found/at", "don't/can't")) {
            for (int before = Analyzer.MOST_WORDS - 10; before <= Analyzer.MOST_WORDS; before++) {
                String text = "x ".repeat(before) + end + " y";
                Recorder used = new Recorder();
                used.analyzer.analyze(end);
                assertSameAsFreshAnalyzer(used, text);
            }
        }
    }

    @Property(tries = 300)
    void terms_ofAnEntry_areThoseOfAQuery(@ForAll("texts") String text) {
        ForwardIndex index = new ForwardIndex(1);
        index.add(0, fields -> fields.text(FieldBoost.DETAIL, text));
        Map<String, Integer> weights = new HashMap<>();
        index.invert(term -> {
            String decoded = decoded(Arrays.copyOfRange(term.terms(), term.start(), term.end()));
            PostingsIterator only =
                    PostingsIterator.over(Arrays.copyOfRange(term.postings(), term.from(), term.to()), 0, 1);
            weights.put(decoded, only.weight());
        });
        Map<String, Integer> expected = new HashMap<>();
        for (Analyzer.Term term : Analyzer.terms(text)) {
            expected.merge(term.text(), 1, (a, b) -> Math.min(255, a + b));
        }
        assertThat(weights).isEqualTo(expected);
    }

    /** Decodes Latin-1, or UTF-16 behind a zero, also of a half surrogate pair. */
    private static String decoded(byte[] term) {
        boolean wide = term[0] == 0;
        StringBuilder text = new StringBuilder();
        for (int i = wide ? 1 : 0; i < term.length; i += wide ? 2 : 1) {
            text.append((char) (wide ? (term[i] & 0xFF) << 8 | term[i + 1] & 0xFF : term[i] & 0xFF));
        }
        return text.toString();
    }

    @Test
    void phrases_areShorterThanTheMaximumOfOpenPhrases() {
        for (int number = 0; number < Lexicon.standard().size(); number++) {
            Lexicon.LexiconEntry first = Lexicon.standard().entry(number);
            assertThat(1 + first.start.longest(LexiconPhrases.GAP))
                    .as(first.word)
                    .isLessThanOrEqualTo(LexiconPhrases.MOST);
        }
    }

    @Test
    void terms_ofHugeTexts_areBounded() {
        for (String part : List.of("a", "a/", "aB", "not ", "接", "a.", "don't", "é", "x1", "+")) {
            assertThat(Analyzer.terms(part.repeat(1 << 18))).as(part).hasSizeLessThan(10 * Analyzer.MOST_WORDS);
        }
    }

    /** Records the terms of entries, whose chunks the analyzer caches. */
    private static final class Recorder implements TokenConsumer {
        private final Analyzer analyzer = new Analyzer(this);
        private final StringBuilder recorded = new StringBuilder();
        private final TermCollector terms = new TermCollector((term, kind, from, to) -> {
            recorded.append(term).append(' ').append(kind).append('\n');
        });

        @Override
        public int known(char[] chars, int length, int hash) {
            return terms.known(chars, length, hash);
        }

        @Override
        public int negated(int term) {
            return terms.negated(term);
        }

        @Override
        public boolean isQuery() {
            return false;
        }

        @Override
        public void term(int term, TokenType kind, int from, int to) {
            terms.term(term, kind, from, to);
        }
    }

    @Provide
    Arbitrary<String> texts() {
        Arbitrary<String> any = Arbitraries.strings().all().ofMaxLength(200);
        Arbitrary<String> likely = Arbitraries.of(
                        "not",
                        "found",
                        "File",
                        "a/b.py",
                        "isn't",
                        "'",
                        "++",
                        "E0308",
                        "camelCase",
                        "接続",
                        "é",
                        ".",
                        "-",
                        " ",
                        "/",
                        "\\",
                        "@",
                        "no such file",
                        "\uD83D\uDE00",
                        "\uD800",
                        "\u0301",
                        "１２",
                        "already exists",
                        "x".repeat(70))
                .list()
                .ofMaxSize(30)
                .map(parts -> String.join("", parts));
        return Arbitraries.oneOf(any, likely, likely.map(text -> text.replace("", " ")));
    }

    private static List<String> texts(String text) {
        return Analyzer.terms(text).stream().map(Analyzer.Term::text).toList();
    }

    private static List<String> queryTerms(String request) {
        return ParsedQuery.clauses(request).stream()
                .flatMap(clause -> clause.terms().keySet().stream())
                .toList();
    }
}
