package dev.xmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Parsing and printing of the query language of the slash commands. */
class QueryParserTest {
    private static final Instant DAY = Instant.parse("2026-02-14T00:00:00Z");
    private static final Instant TIME = Instant.parse("2026-02-14T16:30:00Z");

    /** The properties of a query as comparable values. */
    private static List<Object> asked(Query q) {
        return List.of(
                q.textMode(),
                q.text(),
                q.kinds(),
                String.valueOf(q.type()),
                String.valueOf(q.tool()),
                String.valueOf(q.tag()),
                String.valueOf(q.ctxHash()),
                String.valueOf(q.session()),
                String.valueOf(q.from()),
                String.valueOf(q.to()),
                q.order(),
                q.limit());
    }

    static Stream<Arguments> grammar() {
        return Stream.of(
                Arguments.of("", Query.all()),
                Arguments.of("   ", Query.all()),
                Arguments.of("rclone remote", Query.words("rclone remote")),
                Arguments.of("  rclone \t remote ", Query.words("rclone remote")),
                Arguments.of("tool=git", Query.all().tool("git")),
                Arguments.of("--tool=git", Query.all().tool("git")),
                Arguments.of("tool=\"Docker Compose\"", Query.all().tool("Docker Compose")),
                Arguments.of("tag=git-commit", Query.all().tag("git-commit")),
                Arguments.of("ctx_hash=git-commit-heredoc", Query.all().ctxHash("git-commit-heredoc")),
                Arguments.of("session=s1", Query.all().session("s1")),
                Arguments.of("type=failure", Query.all().kind(Entry.Kind.FAILURE)),
                Arguments.of("type=tool_success", Query.all().kind(Entry.Kind.SUCCESS)),
                Arguments.of("type=notes type=directive", Query.all().kind(Entry.Kind.NOTE, Entry.Kind.DIRECTIVE)),
                Arguments.of("type=Other", Query.all().kind(Entry.Kind.UNKNOWN)),
                Arguments.of("type=fact", Query.all().type("fact")),
                Arguments.of("since=2026-02-14", Query.all().between(DAY, null)),
                Arguments.of("until=2026-02-14T16:30:00Z", Query.all().between(null, TIME)),
                Arguments.of(
                        "until=2026-02-14T16:30:00Z since=2026-02-14",
                        Query.all().between(DAY, TIME)),
                Arguments.of("order=newest", Query.all().order(Query.Order.NEWEST)),
                Arguments.of("order=Relevance", Query.all()),
                Arguments.of("limit=10", Query.all().limit(10)),
                Arguments.of("--limit=5", Query.all().limit(5)),
                Arguments.of("deep=true push", Query.words("push").deep()),
                Arguments.of("push --deep", Query.words("push").deep()),
                Arguments.of("deep=false", Query.all()),
                Arguments.of("limit=1000", Query.all()),
                Arguments.of("\"a phrase\"", Query.literal("a phrase")),
                Arguments.of("\"one\"", Query.literal("one")),
                Arguments.of("\"a \\\"q\\\" and a \\\\\"", Query.literal("a \"q\" and a \\")),
                Arguments.of("\"tool=git\"", Query.literal("tool=git")),
                Arguments.of("\"/x/\"", Query.literal("/x/")),
                Arguments.of("\"\"", Query.literal("")),
                Arguments.of("/ba.ger|con[f]ig/", Query.regex("ba.ger|con[f]ig")),
                Arguments.of("/a b/", Query.regex("a b")),
                Arguments.of(
                        "/a  b tool=x \"q\"/ tool=git",
                        Query.regex("a  b tool=x \"q\"").tool("git")),
                Arguments.of("type=\"note\"", Query.all().type("note")),
                Arguments.of("/usr/lib", Query.words("/usr/lib")),
                Arguments.of("a=b", Query.words("a=b")),
                Arguments.of("pool=5 TAG=1 title=x top=3", Query.words("pool=5 TAG=1 title=x top=3")),
                Arguments.of("https://h/?tol=1 ./tol=x k8s.tag=y", Query.words("https://h/?tol=1 ./tol=x k8s.tag=y")),
                Arguments.of("/tol=x/", Query.regex("tol=x")),
                Arguments.of("\"tol=x\"", Query.literal("tol=x")),
                Arguments.of("it's naïve 日本語 👍", Query.words("it's naïve 日本語 👍")),
                Arguments.of(
                        "tool=git push tag=net rejected limit=3",
                        Query.words("push rejected").tool("git").tag("net").limit(3)),
                Arguments.of("tag=\"a\\\\b \\\"c\\\"\"", Query.all().tag("a\\b \"c\"")),
                Arguments.of("tool=\"\" x", Query.words("x").tool("")));
    }

    @ParameterizedTest
    @MethodSource("grammar")
    void parse_grammar_returnsTheQuery(String line, Query query) {
        assertThat(asked(Query.parse(line))).isEqualTo(asked(query));
    }

    @ParameterizedTest
    @MethodSource("grammar")
    void toString_parsed_returnsAnEqualQuery(String line, Query query) {
        assertThat(asked(Query.parse(query.toString()))).isEqualTo(asked(query));
        assertThat(Query.parse(line).toString()).isEqualTo(query.toString());
    }

    @ParameterizedTest
    @CsvSource({
        "tol=git,tool", "tools=git,tool", "Tool=git,tool", "tags=ci,tag", "otol=git,tool", "ctx-hash=x,ctx_hash",
        "limt=3,limit", "ofset=1,offset", "budgt=900,budget", "sesion=s,session", "curser=c,cursor", "typ=note,type"
    })
    void parse_misspelledKey_suggestsTheKey(String word, String key) {
        assertThatThrownBy(() -> Query.parse("push " + word))
                .isInstanceOfSatisfying(
                        XMemException.Syntax.class,
                        e -> assertThat(e.position()).isEqualTo(5))
                .hasMessageContaining("did you mean " + key + "=");
    }

    @Test
    void toString_wordsLikeAMisspelledKey_areParsedAsWords() {
        assertThat(asked(Query.parse(Query.words("tol=git x").toString()))).isEqualTo(asked(Query.words("tol =git x")));
    }

    @Test
    void parse_budgetAboveEveryNumber_isTheGreatest() {
        assertThat(Query.parse("budget=99999999999").tokenBudget()).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void parse_severalArguments_areOneLine() {
        assertThat(asked(Query.parse("tool=git", "push", "--limit=2")))
                .isEqualTo(asked(Query.parse("tool=git push --limit=2")));
        assertThat(asked(Query.parse())).isEqualTo(asked(Query.all()));
    }

    @Test
    void parse_slashesAlone_areWords() {
        assertThat(asked(Query.parse("//"))).isEqualTo(asked(Query.words("//")));
    }

    @Test
    void parse_offsetCursorAndBudget_areSet() {
        Query query = Query.parse("--offset=70 cursor=abc budget=500");
        assertThat(query.offset()).isEqualTo(70);
        assertThat(query.cursor()).isEqualTo("abc");
        assertThat(query.tokenBudget()).isEqualTo(500);
        assertThat(query.toString()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "limit=0 | limit takes a whole number of 1 or more | 0",
                "tool=git limit=x | limit takes a whole number | 9",
                "limit= | limit takes a whole number | 0",
                "offset=-1 | offset takes a whole number of 0 or more | 0",
                "limit=99999999999 | limit takes a whole number | 0",
                "budget=99 | budget takes a whole number of 100 or more | 0",
                "since=yesterday | since takes a day | 0",
                "until=2026-13-01 | until takes a day | 0",
                "order=oldest | order is newest or relevance | 0",
                "git --limit 5 | --limit needs a value: write --limit=VALUE | 4",
                "x --tool | --tool needs a value | 2",
                "x --lmit=3 | unknown option --lmit; known are --budget= | 2",
                "\"abc\" \"def\" | a query takes one phrase in double quotes | 6",
                "x \"a b\" \"c=d e\" | a query takes one phrase in double quotes | 8",
                "x \"open | a quote is opened and not closed | 2",
                "tag=\"open | a quote is opened and not closed | 4",
            })
    void parse_invalid_throwsWithPosition(String line, String what, int position) {
        assertThatThrownBy(() -> Query.parse(line))
                .isInstanceOfSatisfying(
                        XMemException.Syntax.class,
                        e -> assertThat(e.position()).isEqualTo(position))
                .hasMessageContaining(what);
    }

    @ParameterizedTest
    @ValueSource(strings = {"=", "==", "--", "---", "--=x", "\\", "\\\"", "=\"a\"", "/", "///", "tool", "tool==x"})
    void parse_anyWords_returnsQueryOrThrowsSyntax(String line) {
        try {
            assertThat(Query.parse(line).toString()).isNotNull();
        } catch (XMemException.Syntax e) {
            assertThat(e).hasMessageContaining("unknown option");
        }
    }
}
