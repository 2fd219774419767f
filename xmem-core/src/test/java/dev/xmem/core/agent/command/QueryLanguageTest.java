package dev.xmem.core.agent.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.Entry;
import dev.xmem.Query;
import dev.xmem.XMemException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The query language of the slash commands: every key in both forms, and the messages for invalid values. */
class QueryLanguageTest {
    @Test
    void parse_everyKey_setsItsPart() {
        Query q = Query.parse(
                "tool=git tag=net ctx_hash=git-push-x session=s1 since=2026-01-02 until=2026-02-14T16:30:00Z order=newest"
                        + " limit=5 offset=7 cursor=abc budget=500 type=fact");
        assertThat(q.tool()).isEqualTo("git");
        assertThat(q.tag()).isEqualTo("net");
        assertThat(q.ctxHash()).isEqualTo("git-push-x");
        assertThat(q.session()).isEqualTo("s1");
        assertThat(q.from()).isEqualTo(Instant.parse("2026-01-02T00:00:00Z"));
        assertThat(q.to()).isEqualTo(Instant.parse("2026-02-14T16:30:00Z"));
        assertThat(q.order()).isEqualTo(Query.Order.NEWEST);
        assertThat(q.limit()).isEqualTo(5);
        assertThat(q.offset()).isEqualTo(7);
        assertThat(q.cursor()).isEqualTo("abc");
        assertThat(q.tokenBudget()).isEqualTo(500);
        assertThat(q.type()).isEqualTo("fact");
        assertThat(q.textMode()).isEqualTo(Query.TextMode.NONE);
    }

    @Test
    void parse_optionsWithDashes_areTheSame() {
        assertThat(Query.parse("--tool=git --limit=5 --offset=70"))
                .hasToString(Query.parse("tool=git limit=5").toString());
        assertThat(Query.parse("--offset=70").offset()).isEqualTo(70);
    }

    @Test
    void parse_severalArguments_areOneQuery() {
        Query q = Query.parse("tool=git", "push", "rejected limit=3");
        assertThat(q.tool()).isEqualTo("git");
        assertThat(q.limit()).isEqualTo(3);
        assertThat(q.text()).isEqualTo("push rejected");
        assertThat(q.textMode()).isEqualTo(Query.TextMode.WORDS);
    }

    @ParameterizedTest
    @CsvSource({
        "failure, FAILURE",
        "failures, FAILURE",
        "tool_failure, FAILURE",
        "success, SUCCESS",
        "SUCCESSES, SUCCESS",
        "note, NOTE",
        "notes, NOTE",
        "directive, DIRECTIVE",
        "other, UNKNOWN"
    })
    void parse_typeOfAKind_isThatKind(String value, Entry.Kind kind) {
        assertThat(Query.parse("type=" + value).kinds()).containsExactly(kind);
        assertThat(Query.parse("type=" + value).type()).isNull();
    }

    @Test
    void parse_severalKinds_areTheirUnion() {
        assertThat(Query.parse("type=failure type=success").kinds())
                .containsExactlyInAnyOrder(Entry.Kind.FAILURE, Entry.Kind.SUCCESS);
    }

    @Test
    void parse_quotes_holdAValueOrALiteralTogether() {
        assertThat(Query.parse("tag=\"two words\"").tag()).isEqualTo("two words");
        Query literal = Query.parse("\"say \\\"yes\\\" to C:\\\\temp\" tool=git");
        assertThat(literal.textMode()).isEqualTo(Query.TextMode.LITERAL);
        assertThat(literal.text()).isEqualTo("say \"yes\" to C:\\temp");
        assertThat(literal.tool()).isEqualTo("git");
        assertThat(Query.parse("\"tool=git\"").text()).isEqualTo("tool=git");
    }

    @Test
    void parse_slashes_areARegularExpression() {
        Query regex = Query.parse("/^fatal: .*branch$/ tool=git");
        assertThat(regex.textMode()).isEqualTo(Query.TextMode.REGEX);
        assertThat(regex.text()).isEqualTo("^fatal: .*branch$");
        assertThat(Query.parse("/usr/lib").textMode()).isEqualTo(Query.TextMode.WORDS);
        assertThat(Query.parse("/").textMode()).isEqualTo(Query.TextMode.WORDS);
    }

    @Test
    void parse_nothing_isEverything() {
        assertThat(Query.parse()).hasToString("");
        assertThat(Query.parse("  ").textMode()).isEqualTo(Query.TextMode.NONE);
    }

    @Test
    void parse_equalsSignsInWords_areWords() {
        assertThat(Query.parse("CFLAGS=-O2 x").text()).isEqualTo("CFLAGS=-O2 x");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "limit=0",
                "limit=-3",
                "limit=many",
                "limit=",
                "limit=99999999999",
                "offset=-1",
                "offset=x",
                "budget=99",
                "budget=a",
                "since=yesterday",
                "since=2026-13-01",
                "until=2026-02-30",
                "until=",
                "order=oldest"
            })
    void parse_valueThatDoesNotFit_namesKeyAndPlace(String word) {
        String key = word.substring(0, word.indexOf('='));
        String value = word.substring(word.indexOf('=') + 1);
        for (String line : List.of("push " + word, "push " + word + " tool=git")) {
            assertThatThrownBy(() -> Query.parse(line))
                    .isInstanceOfSatisfying(
                            XMemException.Syntax.class,
                            e -> assertThat(e.position()).isEqualTo(5))
                    .hasMessageContaining(key)
                    .hasMessageContaining(value);
        }
    }

    @Test
    void parse_unknownOption_listsTheKnown() {
        assertThatThrownBy(() -> Query.parse("push --colour=red"))
                .isInstanceOfSatisfying(
                        XMemException.Syntax.class,
                        e -> assertThat(e.position()).isEqualTo(5))
                .hasMessageContaining("--colour")
                .hasMessageContaining("--limit");
    }

    @Test
    void parse_openQuote_saysWhere() {
        assertThatThrownBy(() -> Query.parse("push \"origin"))
                .isInstanceOfSatisfying(
                        XMemException.Syntax.class,
                        e -> assertThat(e.position()).isEqualTo(5))
                .hasMessageContaining("quote");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "push rejected tool=git tag=\"two words\" ctx_hash=git-push-x session=s1 order=newest limit=5",
                "\"say \\\"yes\\\" to C:\\\\temp\" type=failure type=success",
                "/^fatal: .*branch$/ since=2026-01-02T00:00:00Z until=2026-02-14T16:30:00Z",
                "type=fact tag=\"with \\\"quotes\\\" and \\\\\""
            })
    void toString_parsed_isTheSameQuery(String line) {
        assertThat(Query.parse(line)).hasToString(line);
        assertThat(Query.parse(Query.parse(line).toString())).hasToString(line);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a  \"b c\" d", "x tool=y z", "^\\s+\"(\\w+) --limit=3\"$", "two  spaces", "a/b"})
    void toString_ofARegexOrLiteral_isReadBackAsItWas(String text) {
        for (Query query :
                List.of(Query.regex(text).tool("git"), Query.literal(text).tool("git"))) {
            Query again = Query.parse(query.toString());
            assertThat(again.textMode()).isEqualTo(query.textMode());
            assertThat(again.text()).isEqualTo(text);
            assertThat(again.tool()).isEqualTo("git");
        }
    }

    @Test
    void toString_ofATypeThatIsAKindsName_isReadBackAsAType() {
        Query query = Query.all().type("note");
        Query again = Query.parse(query.toString());
        assertThat(again.type()).isEqualTo("note");
        assertThat(again.kinds()).isEmpty();
        assertThat(query.toString())
                .isNotEqualTo(Query.all().kind(Entry.Kind.NOTE).toString());
    }

    @Test
    void toString_ofARegexWithASlashBeforeASpace_meansTheSame() {
        Query again =
                Query.parse(Query.regex("usr/lib/ not \\\\/ found/").tool("git").toString());
        assertThat(again.textMode()).isEqualTo(Query.TextMode.REGEX);
        assertThat("in usr/lib/ not \\/ found/ there").containsPattern(again.text());
        assertThat(again.tool()).isEqualTo("git");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tool=git push",
                "--limit=3",
                "push --limit",
                "--deep x",
                "\"one phrase\"",
                "/usr/bin/",
                "it's \"so"
            })
    void toString_ofWords_isReadBackAsWords(String text) {
        Query query = Query.words(text).tag("net");
        Query again = Query.parse(query.toString());
        assertThat(again.textMode()).isEqualTo(Query.TextMode.WORDS);
        assertThat(again.tool()).isNull();
        assertThat(again.limit()).isEqualTo(Query.MAX_ENTRIES);
        assertThat(again.isDeep()).isFalse();
        assertThat(again.tag()).isEqualTo("net");
    }
}
