package dev.xmem.core;

import static dev.xmem.core.search.Stores.NOW;
import static dev.xmem.core.search.Stores.append;
import static dev.xmem.core.search.Stores.appendRaw;
import static dev.xmem.core.search.Stores.ids;
import static dev.xmem.core.search.Stores.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Note;
import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.Success;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.search.Stores;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What each part of a query does, through the public door. */
class SearchTest {
    private final XMemStore store = Stores.inMemory();

    private List<String> search(Query query) {
        return ids(store.search(query));
    }

    private String failure(String tool, String error) {
        return store.recordFailure(Failure.of(tool, "run", error)).id();
    }

    private String note(String content) {
        return store.writeNote(Note.of("note", content)).id();
    }

    @Nested
    class Filters {
        private final List<String> ids = record(
                store,
                "{'type':'tool_failure','tool':'git','error':'a','tags':['Push','net'],'session_id':'s1',"
                        + "'ctx_hash':'git-push-a','ts':'2026-01-01T00:00:00Z'}",
                "{'type':'tool_failure','tool':'npm','error':'b','tags':['net'],'session_id':'s2',"
                        + "'ctx_hash':'npm-run-b','ts':'2026-01-02T00:00:00Z'}",
                "{'type':'tool_success','tool':'Git','pattern_name':'c','tags':['push'],'session_id':'s1',"
                        + "'ctx_hash':'git-push-a','ts':'2026-01-03T00:00:00Z'}",
                "{'type':'fact','content':'git','tags':['net'],'ts':'2026-01-04T00:00:00Z'}",
                "{'type':'task','content':'d','ts':'2026-01-05T00:00:00Z'}");
        private final String gitFailure = ids.get(0);
        private final String npmFailure = ids.get(1);
        private final String gitSuccess = ids.get(2);
        private final String fact = ids.get(3);
        private final String task = ids.get(4);

        @Test
        void all_withoutFilters_isEverythingNewestFirst() {
            assertThat(search(Query.all())).containsExactly(task, fact, gitSuccess, npmFailure, gitFailure);
        }

        @Test
        void tool_anyCase_isItsFailuresAndSuccesses() {
            assertThat(search(Query.all().tool("git"))).containsExactly(gitSuccess, gitFailure);
            assertThat(search(Query.all().tool("GIT"))).containsExactly(gitSuccess, gitFailure);
        }

        @Test
        void tool_prefixOnly_isNothing() {
            assertThat(search(Query.all().tool("gi"))).isEmpty();
        }

        @Test
        void tag_anyCase_isAllKindsThatCarryIt() {
            assertThat(search(Query.all().tag("net"))).containsExactly(fact, npmFailure, gitFailure);
            assertThat(search(Query.all().tag("PUSH"))).containsExactly(gitSuccess, gitFailure);
        }

        @Test
        void ctxHash_exact_isThatFamily() {
            assertThat(search(Query.all().ctxHash("git-push-a"))).containsExactly(gitSuccess, gitFailure);
            assertThat(search(Query.all().ctxHash("git-push"))).isEmpty();
        }

        @Test
        void session_exact_isThatSession() {
            assertThat(search(Query.all().session("s1"))).containsExactly(gitSuccess, gitFailure);
            assertThat(search(Query.all().session("S1"))).isEmpty();
        }

        @Test
        void type_ofNotes_isNotesOfThatType() {
            assertThat(search(Query.all().type("fact"))).containsExactly(fact);
        }

        @Test
        void kind_oneOrSeveral_isTheirUnion() {
            assertThat(search(Query.all().kind(Entry.Kind.NOTE))).containsExactly(task, fact);
            assertThat(search(Query.all().kind(Entry.Kind.FAILURE, Entry.Kind.SUCCESS)))
                    .containsExactly(gitSuccess, npmFailure, gitFailure);
            assertThat(search(Query.all().kind(Entry.Kind.OTHER))).isEmpty();
        }

        @Test
        void between_halfOpen_hasTheFirstAndNotTheLast() {
            Query january2to4 =
                    Query.all().between(Instant.parse("2026-01-02T00:00:00Z"), Instant.parse("2026-01-04T00:00:00Z"));
            assertThat(search(january2to4)).containsExactly(gitSuccess, npmFailure);
        }

        @Test
        void between_openEnds_goesToTheEnd() {
            assertThat(search(Query.all().between(Instant.parse("2026-01-04T00:00:00Z"), null)))
                    .containsExactly(task, fact);
            assertThat(search(Query.all().between(null, Instant.parse("2026-01-02T00:00:00Z"))))
                    .containsExactly(gitFailure);
        }

        @Test
        void between_finerThanMilliseconds_keepsTheBorders() {
            Instant justAfter = Instant.parse("2026-01-02T00:00:00.0000001Z");
            assertThat(search(Query.all().between(justAfter, null))).containsExactly(task, fact, gitSuccess);
            assertThat(search(Query.all().between(null, justAfter))).containsExactly(npmFailure, gitFailure);
        }

        @Test
        void between_theEndsOfTime_isEverything() {
            assertThat(search(Query.all().between(Instant.MIN, Instant.MAX))).hasSize(5);
            assertThat(search(Query.all().between(Instant.MAX, Instant.MIN))).isEmpty();
        }

        @Test
        void filters_together_areJoinedByAnd() {
            assertThat(search(Query.all().tool("git").tag("net"))).containsExactly(gitFailure);
            assertThat(search(Query.all().tag("net").kind(Entry.Kind.NOTE))).containsExactly(fact);
            assertThat(search(Query.all()
                            .tool("git")
                            .session("s1")
                            .ctxHash("git-push-a")
                            .kind(Entry.Kind.SUCCESS)))
                    .containsExactly(gitSuccess);
            assertThat(search(Query.all().tool("npm").session("s1"))).isEmpty();
        }

        @Test
        void filters_withText_narrowIt() {
            assertThat(search(Query.words("git"))).contains(gitFailure, gitSuccess);
            assertThat(search(Query.words("git").kind(Entry.Kind.SUCCESS))).containsExactly(gitSuccess);
            assertThat(search(Query.literal("git").type("fact"))).containsExactly(fact);
            assertThat(search(Query.regex("^net$").tool("git"))).containsExactly(gitFailure);
        }

        @Test
        void filter_unknownTool_isAnEmptyPageThatSaysSo() {
            Page page = store.search(Query.all().tool("rclone"));
            assertThat(page.matches()).isEmpty();
            assertThat(page.total()).isZero();
            assertThat(page.totalIsExact()).isTrue();
            assertThat(page.cursor()).isNull();
            assertThat(page.nextOffset()).isNull();
            assertThat(page.text()).contains("Found 0 entries");
        }

        @Test
        void match_ofFilters_saysThatItPassedThem() {
            Match match = store.search(Query.all().tool("npm")).matches().get(0);
            assertThat(match.likeness()).isEqualTo(Match.Likeness.FILTER);
            assertThat(match.score()).isZero();
            assertThat(match.because()).isNotBlank();
        }
    }

    @Nested
    class Words {
        @Test
        void words_several_areJoinedByOrBestFirst() {
            String both = note("the walrus met a marmot near water");
            String one = note("the walrus met a pigeon near water");
            note("the pigeon met a pigeon near water");
            Page page = store.search(Query.words("walrus marmot"));
            assertThat(ids(page)).startsWith(both);
            assertThat(page.matches()).allMatch(match -> match.likeness() == Match.Likeness.SIMILAR);
            assertThat(search(Query.words("walrus"))).containsExactlyInAnyOrder(one, both);
        }

        @Test
        void words_ofNoEntry_findNothing() {
            note("the walrus met a marmot");
            Page page = store.search(Query.words("pterodactyl"));
            assertThat(page.matches()).isEmpty();
            assertThat(page.total()).isZero();
        }

        @Test
        void words_onlyStopWordsOrNothing_findNothing() {
            note("the walrus met a marmot");
            assertThat(search(Query.words("the a of"))).isEmpty();
            assertThat(search(Query.words(""))).isEmpty();
            assertThat(search(Query.words(" … ! "))).isEmpty();
        }

        @Test
        void words_identifiers_areFoundByTheirParts() {
            String id = note("set maxRetryCount in retry_policy.yaml");
            assertThat(search(Query.words("retry policy"))).containsExactly(id);
            assertThat(search(Query.words("maxRetryCount"))).containsExactly(id);
        }

        @Test
        void words_anyCaseAndForm_areFound() {
            String id = note("Uploaded walrus");
            assertThat(search(Query.words("WALRUS"))).containsExactly(id);
            assertThat(search(Query.words("upload"))).containsExactly(id);
        }

        @Test
        void words_orderNewest_isByTimeAlone() {
            List<String> ids = record(
                    store,
                    "{'type':'note','content':'walrus marmot','ts':'2026-01-01T00:00:00Z'}",
                    "{'type':'note','content':'walrus marmot badger pigeon','ts':'2026-01-03T00:00:00Z'}",
                    "{'type':'note','content':'walrus marmot badger','ts':'2026-01-02T00:00:00Z'}");
            assertThat(search(Query.words("walrus marmot").order(Query.Order.NEWEST)))
                    .containsExactly(ids.get(1), ids.get(2), ids.get(0));
        }

        @Test
        void words_equalScores_areNewestFirst() {
            List<String> ids = record(
                    store,
                    "{'type':'note','content':'walrus','ts':'2026-01-02T00:00:00Z'}",
                    "{'type':'note','content':'walrus','ts':'2026-01-03T00:00:00Z'}",
                    "{'type':'note','content':'walrus','ts':'2026-01-01T00:00:00Z'}");
            assertThat(search(Query.words("walrus"))).containsExactly(ids.get(1), ids.get(0), ids.get(2));
        }

        @Test
        void words_scores_neverRiseDownThePage() {
            for (int i = 0; i < 20; i++) {
                note("walrus " + "marmot ".repeat(i % 4) + "badger ".repeat(i % 3));
            }
            assertThat(store.search(Query.words("walrus marmot badger")).matches())
                    .extracting(Match::score)
                    .isSortedAccordingTo((a, b) -> Double.compare(b, a));
        }
    }

    @Nested
    class Literals {
        @TempDir
        Path directory;

        @Test
        void literal_otherCase_isNotFound() {
            String id = failure("git", "fatal: Authentication failed for walrus");
            assertThat(search(Query.literal("Authentication failed"))).containsExactly(id);
            assertThat(search(Query.literal("authentication failed"))).isEmpty();
        }

        @Test
        void literal_partOfAWord_isFound() {
            String id = note("pterodactyl");
            assertThat(search(Query.literal("rodact"))).containsExactly(id);
        }

        @Test
        void literal_quotesBackslashesAndLineEnds_areThoseOfTheText() {
            String quotes = note("say \"yes\" now");
            String backslash = note("C:\\temp\\new");
            String lines = note("first\nsecond\tthird");
            assertThat(search(Query.literal("say \"yes\" now"))).containsExactly(quotes);
            assertThat(search(Query.literal("\\\"yes"))).isEmpty();
            assertThat(search(Query.literal("C:\\temp\\new"))).containsExactly(backslash);
            assertThat(search(Query.literal("\\\\"))).isEmpty();
            assertThat(search(Query.literal("first\nsecond"))).containsExactly(lines);
            assertThat(search(Query.literal("first\\nsecond"))).isEmpty();
        }

        @Test
        void literal_nonAscii_isFoundHoweverTheLineWritesIt() {
            append(
                    directory,
                    "notes.jsonl",
                    "{'ts':'2026-01-02T00:00:00Z','type':'note','content':'café 😀 plain'}",
                    "{'ts':'2026-01-01T00:00:00Z','type':'note','content':'caf\\u00e9 \\ud83d\\ude00 escaped'}");
            try (XMemStore files = Stores.in(directory)) {
                assertThat(contents(files.search(Query.literal("café 😀"))))
                        .containsExactly("café 😀 plain", "café 😀 escaped");
                assertThat(contents(files.search(Query.literal("u00e9")))).isEmpty();
            }
        }

        private List<String> contents(Page page) {
            return page.matches().stream()
                    .map(match -> ((Note) match.entry()).content())
                    .toList();
        }

        @Test
        void literal_theSyntaxOfALine_isNotText() {
            failure("git", "walrus");
            assertThat(search(Query.literal("{\""))).isEmpty();
            assertThat(search(Query.literal("\"tool\""))).isEmpty();
            assertThat(search(Query.literal("\"tool\":\"git\""))).isEmpty();
            assertThat(search(Query.literal("pattern_avoid"))).isEmpty();
            assertThat(search(Query.literal("null"))).isEmpty();
            assertThat(search(Query.literal("[]"))).isEmpty();
        }

        @Test
        void literal_acrossTwoFieldsOrItems_isNotFound() {
            store.recordFailure(
                    Failure.of("git", "push", "walrus").tags("ab", "cd").triedAlso("ef", "gh"));
            assertThat(search(Query.literal("gitpush"))).isEmpty();
            assertThat(search(Query.literal("abcd"))).isEmpty();
            assertThat(search(Query.literal("ab\",\"cd"))).isEmpty();
            assertThat(search(Query.literal("ab, cd"))).isEmpty();
            assertThat(search(Query.literal("pushwalrus"))).isEmpty();
        }

        @Test
        void literal_keyOfANestedObject_isText() {
            String id = store.recordSuccess(
                            Success.of("git", "heredoc").criticalParams("{\"commit_format\":{\"eof\":1}}"))
                    .id();
            assertThat(search(Query.literal("commit_format"))).containsExactly(id);
            assertThat(search(Query.literal("eof"))).containsExactly(id);
            assertThat(search(Query.literal("critical_params"))).isEmpty();
        }

        @Test
        void literal_signsOfRegularExpressions_standForThemselves() {
            String id = note("a.*b (c|d) [e] $f");
            note("aXXb c d e f");
            assertThat(search(Query.literal("a.*b (c|d) [e] $f"))).containsExactly(id);
        }

        @Test
        void literal_whiteSpace_isNotFolded() {
            note("walrus marmot");
            assertThat(search(Query.literal("walrus  marmot"))).isEmpty();
        }

        @Test
        void literal_match_isExact() {
            note("walrus");
            assertThat(store.search(Query.literal("walr")).matches().get(0).likeness())
                    .isEqualTo(Match.Likeness.EXACT);
        }
    }

    @Nested
    class RegularExpressions {
        @Test
        void regex_anchors_areThoseOfOneField() {
            String id = failure("git", "fatal: no walrus");
            failure("git", "it was fatal: no walrus");
            assertThat(search(Query.regex("^fatal"))).containsExactly(id);
            assertThat(search(Query.regex("^git$"))).hasSize(2);
            assertThat(search(Query.regex("git.*walrus"))).isEmpty();
        }

        @Test
        void regex_alternativesClassesAndFlags_work() {
            String timeout = note("connect ETIMEDOUT 10.0.0.1:443");
            String refused = note("connect ECONNREFUSED 10.0.0.2:80");
            assertThat(search(Query.regex("ETIMEDOUT|ECONNRESET"))).containsExactly(timeout);
            assertThat(search(Query.regex("10\\.0\\.0\\.[12]:\\d{2,3}"))).containsExactlyInAnyOrder(timeout, refused);
            assertThat(search(Query.regex("(?i)econnrefused"))).containsExactly(refused);
            assertThat(search(Query.regex("econnrefused"))).isEmpty();
            assertThat(search(Query.regex("E[A-Z]+(?= 10\\.0\\.0\\.2)"))).containsExactly(refused);
        }

        @Test
        void regex_textThatTheLineEscapes_isFound() {
            String id = note("C:\\temp says \"no\"\nagain");
            assertThat(search(Query.regex("temp says \"no\"\\s+again"))).containsExactly(id);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {"(.*a){20}$", "(a|aa)+$", "(a*)*$", "a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?aaaaaaaaaaaaaaaa$b"})
        void regex_hostilePattern_endsWithATypedError(String pattern) {
            note("a".repeat(3000) + "!");
            note("a".repeat(2000) + "!");
            assertThatThrownBy(() -> store.search(Query.regex(pattern)))
                    .isInstanceOf(XMemException.Syntax.class)
                    .hasMessageMatching("(?s).*(regular expression|match nothing).*");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {"(a+)+$", "([a-z]+)*$", "(a|a|a)*b", "(x+x+)+y", "(?:a?){30}a{30}b", "\\1(a)", "(?>a+)+$"})
        void regex_strangePattern_endsWithAnAnswerOrATypedError(String pattern) {
            note("a".repeat(300) + "!");
            try {
                assertThat(store.search(Query.regex(pattern)).total()).isBetween(0L, 1L);
            } catch (XMemException.Syntax e) {
                assertThat(e).hasMessageMatching("(?s).*(regular expression|match nothing).*");
            }
        }

        @Test
        void regex_tooLong_saysHowLongItMayBe() {
            assertThatThrownBy(() -> store.search(Query.regex("a".repeat(1001))))
                    .isInstanceOf(XMemException.Syntax.class)
                    .hasMessageContaining("1001")
                    .hasMessageContaining("1000");
        }

        @Test
        void regex_thatDoesNotCompile_saysWhere() {
            note("walrus");
            assertThatThrownBy(() -> store.search(Query.regex("wal(rus")))
                    .isInstanceOfSatisfying(
                            XMemException.Syntax.class,
                            e -> assertThat(e.position()).isBetween(3, 7));
        }

        @Test
        void regex_afterAnError_theStoreGoesOn() {
            String id = note("walrus");
            assertThatThrownBy(() -> store.search(Query.regex("["))).isInstanceOf(XMemException.Syntax.class);
            assertThat(search(Query.regex("w.lrus"))).containsExactly(id);
        }
    }

    @Nested
    class OrderAndPlace {
        @TempDir
        Path directory;

        @Test
        void order_sameTime_isTheLaterLineFirstAndFailuresBeforeSuccessesBeforeNotes() {
            String note1 = note("walrus 1");
            String failure1 = failure("git", "walrus 2");
            String success = store.recordSuccess(Success.of("git", "walrus 3")).id();
            String failure2 = failure("git", "walrus 4");
            String note2 = note("walrus 5");
            assertThat(search(Query.all())).containsExactly(failure2, failure1, success, note2, note1);
            assertThat(search(Query.literal("walrus"))).containsExactly(failure2, failure1, success, note2, note1);
        }

        @Test
        void order_timesInTheFuture_countAsAMinuteFromNow() {
            List<String> ids = record(
                    store,
                    "{'type':'note','content':'walrus','ts':'2100-01-01T00:00:00Z'}",
                    "{'type':'note','content':'walrus','ts':'2099-01-01T00:00:00Z'}",
                    "{'type':'note','content':'walrus','ts':'" + NOW.plusSeconds(30) + "'}",
                    "{'type':'note','content':'walrus','ts':'" + NOW + "'}");
            List<String> expected = List.of(ids.get(1), ids.get(0), ids.get(2), ids.get(3));
            assertThat(search(Query.all())).isEqualTo(expected);
            assertThat(search(Query.words("walrus"))).isEqualTo(expected);
        }

        @Test
        void order_linesNotInTheOrderOfTheirTimes_isByTime() {
            append(
                    directory,
                    "failures.jsonl",
                    "{'id':'2026-01-03-001','ts':'2026-01-03T00:00:00Z','type':'tool_failure','tool':'git','error':'walrus'}",
                    "{'id':'2026-01-01-001','ts':'2026-01-01T00:00:00Z','type':'tool_failure','tool':'git','error':'walrus'}",
                    "{'id':'2026-01-09-001','ts':'no time','type':'tool_failure','tool':'git','error':'walrus'}",
                    "{'id':'2026-01-02-001','ts':'2026-01-02T00:00:00Z','type':'tool_failure','tool':'git','error':'walrus'}",
                    "{'id':'2026-01-02-002','ts':'2026-01-02T02:00:00+02:00','type':'tool_failure','tool':'git','error':'walrus'}");
            try (XMemStore files = Stores.in(directory)) {
                List<String> expected = List.of(
                        "2026-01-03-001", "2026-01-02-002", "2026-01-02-001", "2026-01-01-001", "2026-01-09-001");
                assertThat(ids(files.search(Query.all()))).isEqualTo(expected);
                assertThat(ids(files.search(Query.all().tool("git")))).isEqualTo(expected);
                assertThat(ids(files.search(Query.literal("walrus")))).isEqualTo(expected);
                assertThat(ids(files.search(Query.words("walrus").order(Query.Order.NEWEST))))
                        .isEqualTo(expected);
            }
        }

        @Test
        void limit_andOffset_cutTheRanking() {
            for (int i = 0; i < 10; i++) {
                note("walrus " + i);
            }
            List<String> all = search(Query.all());
            assertThat(search(Query.all().limit(3))).isEqualTo(all.subList(0, 3));
            assertThat(search(Query.all().limit(3).offset(4))).isEqualTo(all.subList(4, 7));
            assertThat(search(Query.literal("walrus").limit(3).offset(8))).isEqualTo(all.subList(8, 10));
            Page page = store.search(Query.all().limit(3).offset(4));
            assertThat(page.total()).isEqualTo(10);
            assertThat(page.nextOffset()).isEqualTo(7);
        }

        @Test
        void limit_beyondTheMost_isTheMost() {
            for (int i = 0; i < 80; i++) {
                note("walrus " + i);
            }
            assertThat(store.search(Query.all().limit(1000)).matches()).hasSize(Query.MAX_ENTRIES);
        }

        @ParameterizedTest
        @ValueSource(ints = {5, 6, 1000, Integer.MAX_VALUE - 71, Integer.MAX_VALUE - 1, Integer.MAX_VALUE})
        void offset_atOrBeyondTheEnd_isAnEmptyPageWithTheTotal(int offset) {
            for (int i = 0; i < 5; i++) {
                note("walrus");
                failure("git", "walrus " + i);
            }
            for (Query query : List.of(
                    Query.all().kind(Entry.Kind.FAILURE),
                    Query.literal("walrus").kind(Entry.Kind.FAILURE),
                    Query.regex("walr.s").kind(Entry.Kind.FAILURE),
                    Query.words("walrus").kind(Entry.Kind.FAILURE))) {
                Page page = store.search(query.offset(offset));
                assertThat(page.matches()).isEmpty();
                assertThat(page.total()).isEqualTo(5);
                assertThat(page.cursor()).isNull();
                assertThat(page.nextOffset()).isNull();
                assertThat(page.text()).isNotEmpty();
            }
        }

        @Test
        void lines_thatAreTheSame_countOnce() {
            String line = "{\"ts\":\"2026-01-01T00:00:00Z\",\"type\":\"note\",\"content\":\"walrus\"}\n";
            appendRaw(directory, "notes.jsonl", line + line.replace("walrus", "marmot") + line);
            try (XMemStore files = Stores.in(directory)) {
                assertThat(files.search(Query.all()).total()).isEqualTo(2);
                assertThat(files.search(Query.literal("walrus")).total()).isEqualTo(1);
                assertThat(files.search(Query.words("walrus")).total()).isEqualTo(1);
            }
        }

        @Test
        void search_afterAnotherStoreAppended_seesIt() {
            try (XMemStore one = Stores.in(directory);
                    XMemStore two = Stores.in(directory)) {
                one.writeNote(Note.of("note", "walrus"));
                assertThat(two.search(Query.words("walrus")).total()).isEqualTo(1);
                two.writeNote(Note.of("note", "another walrus"));
                assertThat(one.search(Query.words("walrus")).total()).isEqualTo(2);
            }
        }
    }
}
