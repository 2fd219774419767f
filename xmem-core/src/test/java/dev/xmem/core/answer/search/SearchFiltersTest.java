package dev.xmem.core.answer.search;

import static dev.xmem.core.answer.search.Stores.ids;
import static dev.xmem.core.answer.search.Stores.record;
import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Entry;
import dev.xmem.Match;
import dev.xmem.Page;
import dev.xmem.Query;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The filters of a query. */
class SearchFiltersTest extends SearchFixture {
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
        assertThat(search(Query.all().kind(Entry.Kind.UNKNOWN))).isEmpty();
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
        assertThat(match.matchType()).isEqualTo(Match.MatchType.FILTER);
        assertThat(match.score()).isZero();
        assertThat(match.explanation()).isNotBlank();
    }
}
