package dev.xmem.core.answer.lookup;

import static dev.xmem.core.answer.search.Stores.inMemory;
import static dev.xmem.core.answer.search.Stores.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.Query;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Successes that were proven often enough become rules. */
class RulePromotionTest {
    private final XMemStore store = inMemory();

    @AfterEach
    void close() {
        store.close();
    }

    private String success(String name, String more) {
        return record(store, "{'type':'tool_success','tool':'git','pattern_name':'" + name + "'," + more + "}")
                .get(0);
    }

    private String proven(String name) {
        return success(
                name, "'key_steps':['Fetch first','Then rebase'],'usage_count':5,'confidence':0.8,'tags':['push']");
    }

    @Test
    void promote_provenSuccess_isARule() {
        Directive directive = store.promote(proven("Push after rebase"));
        assertThat(directive.canonical()).isEqualTo("git: Push after rebase: Fetch first; Then rebase");
        assertThat(directive.triple()).isEqualTo(new Directive.Triple("git Push after rebase", "is", "required"));
        assertThat(directive.scope()).isEqualTo(Directive.Scope.LOCAL);
        assertThat(directive.tags()).containsExactly("push", "git");
        assertThat(directive.strength()).isEqualTo(1);
        assertThat(directive.json()).contains("\"kind\":\"rule\"");
        assertThat(store.search(Query.all().kind(Entry.Kind.DIRECTIVE)).total()).isEqualTo(1);
    }

    @Test
    void promote_byAPrefixOfTheId_isTheSame() {
        String id = proven("Push");
        assertThat(store.promote(id.substring(0, id.length() - 1)).canonical()).startsWith("git: Push");
    }

    @Test
    void promote_twice_reinforces() {
        String id = proven("Push");
        Directive first = store.promote(id);
        Directive second = store.promote(id);
        assertThat(second.id()).isEqualTo(first.id());
        assertThat(second.strength()).isEqualTo(2);
    }

    @Test
    void promote_longSteps_areCutAtTheLimit() {
        String steps = "'" + "👍 a step that is long ".repeat(20) + "'";
        Directive directive =
                store.promote(success("Push", "'key_steps':[" + steps + "],'usage_count':9,'confidence':1.0"));
        assertThat(directive.canonical()).endsWith("…");
        assertThat(directive.canonical().codePointCount(0, directive.canonical().length()))
                .isLessThanOrEqualTo(240);
    }

    @ParameterizedTest
    @CsvSource({"4, 1.0", "5, 0.79", "0, 0.0", "1, 0.95"})
    void promote_notProvenYet_saysWhatIsNeeded(int used, double confidence) {
        String id = success("Push", "'usage_count':" + used + ",'confidence':" + confidence);
        assertThatThrownBy(() -> store.promote(id))
                .isInstanceOfSatisfying(
                        XMemException.Invalid.class, e -> assertThat(e.field()).isEqualTo("id"))
                .hasMessageContaining("usage count is " + used + " of 5 needed")
                .hasMessageContaining("confidence " + confidence + " of 0.8");
        assertThat(store.stats().promotable()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "2020-01-01-001", "nothing"})
    void promote_noSuchEntry_isRefused(String id) {
        assertThatThrownBy(() -> store.promote(id)).isInstanceOf(XMemException.Invalid.class);
    }

    @Test
    void promote_aFailure_isRefused() {
        String id = record(store, "{'type':'tool_failure','tool':'git','error':'x'}")
                .get(0);
        assertThatThrownBy(() -> store.promote(id))
                .isInstanceOf(XMemException.Invalid.class)
                .hasMessageContaining("is not the id of a success");
    }

    @Test
    void stats_candidates_areTheProvenOnesNewestFirst() {
        String first = proven("One");
        success("Two", "'usage_count':4,'confidence':0.9");
        String third = proven("Three");
        assertThat(store.stats().promotable()).containsExactly(third, first);
    }

    @ParameterizedTest
    @ValueSource(strings = {"One", " One  and   more ", "ONE", "One\\nline", "\\tOne"})
    void stats_afterPromotion_isNoCandidateAnyMore(String name) {
        String id = proven(name);
        String other = proven("Another");
        store.promote(id);
        assertThat(store.stats().promotable()).containsExactly(other);
    }

    @Test
    void stats_manyCandidates_areTwentyAtMost() {
        for (int i = 0; i < 25; i++) {
            proven("Pattern " + i);
        }
        assertThat(store.stats().promotable())
                .hasSize(20)
                .doesNotHaveDuplicates()
                .first()
                .isEqualTo("2026-02-14-025");
    }
}
