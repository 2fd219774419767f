package dev.xmem.core.answer.outcome;

import static dev.xmem.core.answer.search.Stores.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.xmem.Amendment;
import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Note;
import dev.xmem.Outcome;
import dev.xmem.Query;
import dev.xmem.Retention;
import dev.xmem.Success;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.core.answer.search.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said about an entry afterwards: votes and amendments, through a store. */
class OutcomesTest {
    private final XMemStore store = Stores.inMemory();

    private static Success success(XMemStore in) {
        return in.recordSuccess(Success.of("git", "Rebase before the push").tags("git"));
    }

    private static Success found(XMemStore in, String id) {
        return (Success) in.find(id).orElseThrow();
    }

    private static List<String> searched(XMemStore in, Query query) {
        return Stores.ids(in.search(query));
    }

    @Test
    void reportOutcome_worked_countsAUseAndRaisesTheConfidence() {
        String id = success(store).id();
        assertThat(store.reportOutcome(id, Outcome.WORKED, "monday")).isTrue();
        assertThat(found(store, id).usageCount()).isEqualTo(2);
        assertThat(found(store, id).confidence()).isCloseTo(2.0 / 3, within(1e-9));
        assertThat(store.search(Query.all().tool("git")).matches().get(0).entry())
                .isInstanceOfSatisfying(
                        Success.class, s -> assertThat(s.usageCount()).isEqualTo(2));
    }

    @Test
    void reportOutcome_workedOnSevenTenths_readsEightTenthsEverywhere() {
        String id = store.recordSuccess(Success.of("git", "p").confidence(0.7)).id();
        store.reportOutcome(id, Outcome.WORKED, "monday");
        assertThat(found(store, id).confidence()).isEqualTo(0.8);
        assertThat(found(store, id).json()).contains("\"confidence\":0.8,");
        assertThat(store.search(Query.all().tool("git")).text()).contains("Confidence: 0.8 ");
    }

    @Test
    void reportOutcome_failed_lowersTheConfidenceOnly() {
        String id = success(store).id();
        store.reportOutcome(id, Outcome.FAILED, "monday");
        assertThat(found(store, id).usageCount()).isEqualTo(1);
        assertThat(found(store, id).confidence()).isCloseTo(1.0 / 3, within(1e-9));
    }

    @Test
    void reportOutcome_strongPrior_movesLittle() {
        String id = record(
                        store,
                        "{'type':'tool_success','tool':'git','pattern_name':'p','confidence':0.95,'usage_count':12}")
                .get(0);
        store.reportOutcome(id, Outcome.FAILED, "monday");
        assertThat(found(store, id).confidence()).isCloseTo(0.95 * 13 / 14, within(1e-9));
    }

    @Test
    void reportOutcome_irrelevant_changesNeither() {
        String id = success(store).id();
        store.reportOutcome(id, Outcome.IRRELEVANT, "monday");
        assertThat(found(store, id).usageCount()).isEqualTo(1);
        assertThat(found(store, id).confidence()).isEqualTo(0.5);
        assertThat(found(store, id).json()).contains("\"outcomes\":{\"worked\":0,\"failed\":0,\"irrelevant\":1}");
    }

    @Test
    void reportOutcome_secondVoteOfASession_isRefusedAndTheFirstStands() {
        String id = success(store).id();
        assertThat(store.reportOutcome(id, Outcome.FAILED, "monday")).isTrue();
        assertThat(store.reportOutcome(id, Outcome.WORKED, "monday")).isFalse();
        assertThat(store.reportOutcome(id, Outcome.WORKED, "tuesday")).isTrue();
        assertThat(found(store, id).confidence()).isEqualTo(0.5);
    }

    @Test
    void reportOutcome_manyThreadsOfOneSession_oneCounts(@TempDir Path directory) throws Exception {
        try (XMemStore one = Stores.in(directory);
                XMemStore two = Stores.in(directory)) {
            String id = success(one).id();
            ExecutorService pool = Executors.newFixedThreadPool(4);
            List<Future<Boolean>> votes = pool.invokeAll(List.of(
                    () -> one.reportOutcome(id, Outcome.WORKED, "s"),
                    () -> two.reportOutcome(id, Outcome.WORKED, "s"),
                    () -> one.reportOutcome(id, Outcome.WORKED, "s"),
                    () -> two.reportOutcome(id, Outcome.WORKED, "s")));
            pool.shutdown();
            int counted = 0;
            for (Future<Boolean> vote : votes) {
                counted += vote.get() ? 1 : 0;
            }
            assertThat(counted).isEqualTo(1);
            assertThat(found(one, id).usageCount()).isEqualTo(2);
            assertThat(found(two, id).usageCount()).isEqualTo(2);
        }
    }

    @Test
    void reportOutcome_inAnotherStore_isSeenAndIsALineThatJqReads(@TempDir Path directory) throws IOException {
        try (XMemStore one = Stores.in(directory);
                XMemStore two = Stores.in(directory)) {
            String id = success(one).id();
            assertThat(found(two, id).usageCount()).isEqualTo(1);
            one.reportOutcome(id, Outcome.WORKED, "monday");
            assertThat(found(two, id).usageCount()).isEqualTo(2);
            assertThat(Files.readAllLines(directory.resolve("data/successes.jsonl")))
                    .hasSize(2)
                    .last()
                    .isEqualTo("{\"ts\":\"2026-02-14T12:00:00Z\",\"type\":\"outcome\",\"target\":\"" + id
                            + "\",\"outcome\":\"worked\",\"session_id\":\"monday\"}");
            assertThat(one.verify().findings()).isEmpty();
        }
        try (XMemStore again = Stores.in(directory)) {
            assertThat(again.search(Query.all()).total()).isEqualTo(1);
            assertThat(again.stats().successes()).isEqualTo(1);
            assertThat(again.reportOutcome(searched(again, Query.all()).get(0), Outcome.FAILED, "monday"))
                    .isFalse();
        }
    }

    @Test
    void reportOutcome_wrongTarget_saysSo() {
        String note = store.writeNote(Note.of("note", "hello")).id();
        assertThatThrownBy(() -> store.reportOutcome("2020-01-01-001", Outcome.WORKED, "s"))
                .isInstanceOf(XMemException.Invalid.class)
                .hasMessageContaining("is unknown");
        assertThatThrownBy(() -> store.reportOutcome(note, Outcome.WORKED, "s"))
                .isInstanceOf(XMemException.Invalid.class);
        String id = success(store).id();
        assertThatThrownBy(() -> store.reportOutcome(id, Outcome.WORKED, " "))
                .isInstanceOf(XMemException.Invalid.class)
                .hasMessageContaining("session");
    }

    @Test
    void reportOutcome_often_makesASuccessPromotable() {
        String id = success(store).id();
        for (int i = 0; i < 4; i++) {
            assertThat(store.stats().promotable()).isEmpty();
            assertThat(store.reportOutcome(id, Outcome.WORKED, "session " + i)).isTrue();
        }
        assertThat(found(store, id).usageCount()).isEqualTo(5);
        assertThat(store.stats().promotable()).containsExactly(id);
        assertThat(store.promote(id).canonical()).contains("Rebase before the push");
        assertThat(store.stats().promotable()).isEmpty();
    }

    @Test
    void amend_dismissed_isFoundByIdOnly() {
        String id = success(store).id();
        String other = success(store).id();
        Entry after = store.amend(id, Amendment.dismiss("wrong since git 2.40"));
        assertThat(after.json()).contains("\"dismissed\":\"wrong since git 2.40\"");
        assertThat(searched(store, Query.all())).containsExactly(other);
        assertThat(searched(store, Query.words("rebase"))).containsExactly(other);
        assertThat(searched(store, Query.literal("Rebase"))).containsExactly(other);
        assertThat(store.find(id)).isPresent();
        store.reportOutcome(id, Outcome.WORKED, "monday");
        Success pinned = (Success) store.amend(id, Amendment.pin());
        assertThat(pinned.usageCount()).isEqualTo(found(store, id).usageCount()).isEqualTo(2);
        assertThat(searched(store, Query.all())).containsExactlyInAnyOrder(id, other);
    }

    @Test
    void amend_dismissedNoteAndDirective_areNotShown() {
        String note = store.writeNote(Note.of("note", "hello")).id();
        Directive.Draft said = Directive.rule(new Directive.Triple("pnpm", "is", "forbidden"));
        String rule = store.remember(said).id();
        assertThat(searched(store, Query.all())).containsExactlyInAnyOrder(note, rule);
        store.amend(note, Amendment.dismiss(""));
        store.amend(rule, Amendment.dismiss(""));
        assertThat(searched(store, Query.all())).isEmpty();
        assertThat(searched(store, Query.all().kind(Entry.Kind.DIRECTIVE))).isEmpty();
        assertThat(store.find(rule)).isPresent();
    }

    @Test
    void amend_superseded_isNotShownAndNamesItsSuccessor() {
        String old = success(store).id();
        String fresh = success(store).id();
        Entry after = store.amend(old, Amendment.supersededBy(fresh));
        assertThat(after.json()).contains("\"superseded_by\":\"" + fresh + "\"");
        assertThat(searched(store, Query.all())).containsExactly(fresh);
        assertThatThrownBy(() -> store.amend(fresh, Amendment.supersededBy(old)))
                .isInstanceOf(XMemException.Invalid.class);
        assertThatThrownBy(() -> store.amend(fresh, Amendment.supersededBy(fresh)))
                .isInstanceOf(XMemException.Invalid.class);
        assertThatThrownBy(() -> store.amend(fresh, Amendment.supersededBy("2020-01-01-001")))
                .isInstanceOf(XMemException.Invalid.class);
    }

    @Test
    void amend_otherTags_areShownAndFilteredBy(@TempDir Path directory) {
        try (XMemStore files = Stores.in(directory)) {
            String id = files.recordFailure(
                            Failure.of("git", "push", "rejected").tags("Git", "push"))
                    .id();
            files.recordFailure(Failure.of("git", "push", "rejected").tags("git"));
            Entry after = files.amend(id, Amendment.retag(Set.of("remote", "auth"), Set.of("git")));
            assertThat(after.tags()).containsExactly("push", "auth", "remote");
            assertThat(searched(files, Query.all().tag("Remote"))).containsExactly(id);
            assertThat(searched(files, Query.all().tag("git"))).hasSize(1).doesNotContain(id);
            assertThat(searched(files, Query.all().tag("push"))).containsExactly(id);
            assertThat(files.stats().topTags(5)).containsEntry("Git", 1L);
        }
    }

    @Test
    void amend_secretInTheReason_isNotStored() {
        String id = success(store).id();
        Entry after = store.amend(id, Amendment.dismiss("token ghp_0123456789abcdefghijklmnopqrstuvwxyz"));
        assertThat(after.json()).doesNotContain("ghp_0123").contains("[redacted:");
    }

    @Test
    void events_inAForeignOrder_countTheSame(@TempDir Path directory) {
        Stores.append(
                directory,
                "successes.jsonl",
                "{'ts':'2026-02-10T00:00:00Z','type':'outcome','target':'2026-02-01-001','outcome':'failed',"
                        + "'session_id':'a'}",
                "{'ts':'2026-02-09T00:00:00Z','type':'outcome','target':'2026-02-01-001','outcome':'worked',"
                        + "'session_id':'a'}",
                "{'ts':'2026-02-09T00:00:00Z','type':'outcome','target':'2026-02-01-001','outcome':'worked',"
                        + "'session_id':'a'}",
                "{'id':'2026-02-01-001','ts':'2026-02-01T00:00:00Z','type':'tool_success','tool':'git',"
                        + "'pattern_name':'p','my_field':[1,2]}");
        try (XMemStore files = Stores.in(directory)) {
            Success after = found(files, "2026-02-01-001");
            assertThat(after.usageCount()).isEqualTo(2);
            assertThat(after.json()).contains("\"my_field\":[1,2]");
            assertThat(files.search(Query.all()).total()).isEqualTo(1);
        }
    }

    /** What was voted on is part of a line in an archive by now: a session has one vote all the same. */
    @Test
    void reportOutcome_ofALineInAnArchiveThatCoversWhatTheSessionVotedOn_isNoSecondVote(@TempDir Path directory) {
        Instant[] now = {Stores.NOW};
        try (XMemStore files = XMem.builder(directory).clock(() -> now[0]).open()) {
            String voted =
                    files.recordFailure(Failure.of("git", "push", "rejected")).id();
            String newer =
                    files.recordFailure(Failure.of("git", "push", "rejected")).id();
            assertThat(files.reportOutcome(voted, Outcome.WORKED, "monday")).isTrue();
            now[0] = now[0].plus(Duration.ofDays(200));
            files.compact(files.planCompaction(Retention.defaults()));
            assertThat(directory.resolve("data/archive/failures-2026-02.jsonl"))
                    .content()
                    .contains("\"covers\":[\"" + voted);
            assertThat(files.reportOutcome(newer, Outcome.FAILED, "monday")).isFalse();
            assertThat(files.reportOutcome(newer, Outcome.FAILED, "tuesday")).isTrue();
        }
    }
}
