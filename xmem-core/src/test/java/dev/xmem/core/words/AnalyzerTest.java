package dev.xmem.core.words;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
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
    void endings_thatAreNone_stay(String word) {
        char[] chars = word.toCharArray();
        assertThat(Stemmer.stem(chars, chars.length)).isEqualTo(word.length());
    }

    @Test
    void causes_inErrorsAndInTalk_areTheSame() {
        assertThat(texts("fatal: remote origin already exists.")).contains("#already-exists");
        assertThat(texts("EEXIST")).contains("#already-exists");
        assertThat(texts("relation does not exist")).doesNotContain("#already-exists");
        assertThat(asked("a name that is taken")).contains("#already-exists");
        assertThat(texts("the file was not, in spite of all efforts, found")).doesNotContain("#file-not-found");
    }

    @Test
    void gaps_inPhrases_passOverTwoWords() {
        assertThat(texts("fatal: not a git repository")).contains("#not-a-repository");
        assertThat(texts("not one two three four repository")).doesNotContain("#not-a-repository");
    }

    @Property(tries = 300)
    void terms_ofAnyText_areBounded(@ForAll("texts") String text) {
        int[] words = {0};
        new Analyzer().analyze(text, token -> {
            assertThat(token.length).isBetween(1, Analyzer.LONGEST_TERM + 1);
            assertThat(token.from).isLessThanOrEqualTo(token.to);
            words[0] = Math.max(words[0], token.to);
        });
        assertThat(words[0]).isLessThanOrEqualTo(Analyzer.MOST_WORDS);
    }

    @Property(tries = 200)
    void analyser_usedBefore_givesTheSame(@ForAll("texts") String before, @ForAll("texts") String text) {
        Analyzer used = new Analyzer();
        used.analyze(before, token -> {});
        StringBuilder again = new StringBuilder();
        used.analyze(text, token -> again.append(token).append(' '));
        StringBuilder fresh = new StringBuilder();
        new Analyzer().analyze(text, token -> fresh.append(token).append(' '));
        assertThat(again.toString()).isEqualTo(fresh.toString());
    }

    @Test
    void terms_ofHugeTexts_areBounded() {
        for (String part : List.of("a", "a/", "aB", "not ", "接", "a.", "don't", "é", "x1", "+")) {
            int[] count = {0};
            new Analyzer().analyze(part.repeat(1 << 18), token -> count[0]++);
            assertThat(count[0]).as(part).isLessThan(10 * Analyzer.MOST_WORDS);
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

    private static List<String> asked(String request) {
        return Request.slots(request).stream()
                .flatMap(slot -> slot.terms.keySet().stream())
                .toList();
    }
}
