package dev.xmem.core.answer.search;

import static dev.xmem.core.answer.search.Stores.ids;
import static dev.xmem.core.answer.search.Stores.record;
import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Match;
import dev.xmem.Page;
import dev.xmem.Query;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which entries a query in words finds, and in which order. */
class SearchWordsTest extends SearchFixture {
    @Test
    void words_several_areJoinedByOrBestFirst() {
        String both = note("the walrus met a marmot near water");
        String one = note("the walrus met a pigeon near water");
        note("the pigeon met a pigeon near water");
        Page page = store.search(Query.words("walrus marmot"));
        assertThat(ids(page)).startsWith(both);
        assertThat(page.matches()).allMatch(match -> match.matchType() == Match.MatchType.SIMILAR);
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
