package dev.xmem.core.layers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.Advice;
import dev.xmem.Amendment;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Layer;
import dev.xmem.Outcome;
import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.ToolGuard;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.spi.TokenEstimator;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A store that also asks the user's and the team's: what it says, whose it is, and where votes go. */
class LayersTest {
    private static final ToolCall PUSH = ToolCall.shell("git push");
    private static final ToolError NO_UPSTREAM =
            ToolError.exit(128, "fatal: The current branch topic has no upstream branch.");
    private static final String LESSON = "Set the upstream: `git push -u origin HEAD`.";

    @TempDir
    Path folder;

    private XMem.Builder builder() {
        return XMem.builder(folder.resolve("project"))
                .alsoAsk(Layer.USER, XMem.builder(folder.resolve("user")))
                .alsoAsk(Layer.TEAM, XMem.builder(folder.resolve("team")));
    }

    private String recorded(String store, Failure.Draft draft) {
        try (XMemStore open = XMem.open(folder.resolve(store))) {
            return open.recordFailure(draft).id();
        }
    }

    private static Failure.Draft failure(String lesson) {
        return Failure.of(PUSH, NO_UPSTREAM).patternAvoid(lesson);
    }

    @Test
    void recall_knownToOthersOnly_saysWhoseItIs() {
        String id = recorded("user", failure(LESSON));
        recorded("team", failure("Ask Anna for the right to push."));
        try (XMemStore store = builder().open()) {
            Advice advice = store.recall(PUSH, NO_UPSTREAM);
            assertThat(advice.status()).isEqualTo(Advice.Status.FOUND);
            assertThat(advice.text())
                    .contains("your other projects: seen 1×", LESSON, id + "@user", "team: ", "Ask Anna")
                    .containsOnlyOnce("[/xmem ");
            assertThat(advice.matches()).extracting(match -> match.layer()).containsExactly(Layer.USER, Layer.TEAM);
            assertThat(advice.matches().get(0).entry().id()).isEqualTo(id + "@user");
            assertThat(store.stats().layers())
                    .extracting(layer -> layer.answered())
                    .containsExactly(1L, 1L);
        }
    }

    @Test
    void recall_sameLessonElsewhere_isToldOnce() {
        recorded("project", failure(LESSON));
        recorded("user", failure(LESSON));
        recorded("team", failure("Try `git pull --rebase` first."));
        try (XMemStore store = builder().open()) {
            String text = store.recall(PUSH, NO_UPSTREAM).text();
            assertThat(text).containsOnlyOnce(LESSON).contains("team: ").doesNotContain("your other projects");
            assertThat(text.indexOf(LESSON)).isLessThan(text.indexOf("team: "));
        }
    }

    /** docs/adr/0053-fixes-that-a-call-has.md: what worked for one file says little about another, whoever saw it. */
    @ParameterizedTest
    @ValueSource(strings = {"project", "user", "team"})
    void recall_retryFromValueToValue_isToldOnlyToACallThatHasTheValue(String layer) {
        try (XMemStore learned = XMem.builder(folder.resolve(layer))
                .guardLimit(Duration.ofSeconds(60))
                .open()) {
            ToolGuard guard = learned.guard();
            guard.warmUp();
            guard.failed(ToolCall.shell("python3 a.py").session("s"), cannotOpen("a.py"));
            guard.succeeded(ToolCall.shell("python3 src/a.py").session("s"));
        }
        try (XMemStore store = builder().guardLimit(Duration.ofSeconds(60)).open()) {
            assertThat(store.recall(ToolCall.shell("python3 c.py"), cannotOpen("c.py"))
                            .text())
                    .doesNotContain("worked:");
            assertThat(store.recall(ToolCall.shell("python3 a.py"), cannotOpen("a.py"))
                            .text())
                    .contains("worked:", "src/a.py");
            ToolGuard guard = store.guard();
            guard.warmUp();
            assertThat(guard.failed(ToolCall.shell("python3 c.py").session("t"), cannotOpen("c.py"))
                            .text())
                    .doesNotContain("worked:");
            assertThat(guard.failed(ToolCall.shell("python3 a.py").session("t"), cannotOpen("a.py"))
                            .text())
                    .contains("worked:", "src/a.py");
        }
    }

    private static ToolError cannotOpen(String file) {
        return ToolError.exit(2, "python3: can't open file '" + file + "': [Errno 2] No such file or directory");
    }

    @Test
    void recall_contradictedByThisStore_isNotTold() {
        try (XMemStore project = XMem.open(folder.resolve("project"))) {
            String id =
                    project.recordFailure(failure("Use `git push --force`.")).id();
            project.reportOutcome(id, Outcome.FAILED, "monday");
        }
        recorded("user", failure("Use `git push --force`."));
        try (XMemStore store = builder().open()) {
            assertThat(store.recall(PUSH, NO_UPSTREAM).text())
                    .contains("do not try")
                    .doesNotContain("your other projects");
        }
    }

    @Test
    void recall_criticalElsewhere_doesNotRaiseTheLevel() {
        for (String store : List.of("user", "team")) {
            for (String session : List.of("a", "b", "c")) {
                recorded(
                        store,
                        failure(LESSON).blockLevel(Failure.BlockLevel.CRITICAL).sessionId(store + session));
            }
        }
        recorded("project", failure("Look first.").sessionId("mine"));
        try (XMemStore store = builder().open()) {
            assertThat(store.recall(PUSH, NO_UPSTREAM).level()).isEqualTo(Failure.BlockLevel.WARNING);
            store.guard().warmUp();
            assertThat(store.guard().failed(PUSH.session("now"), NO_UPSTREAM).level())
                    .isEqualTo(Failure.BlockLevel.WARNING);
            assertThat(store.guard().before(PUSH.session("now")).level()).isEqualTo(Failure.BlockLevel.WARNING);
        }
    }

    @Test
    void guard_followedAdviceOfTheUser_isAVoteInTheUsersStore() throws Exception {
        String id = recorded("user", failure(LESSON));
        byte[] before = Files.readAllBytes(folder.resolve("user/data/failures.jsonl"));
        try (XMemStore store = builder().open()) {
            ToolGuard guard = store.guard();
            guard.warmUp();
            assertThat(guard.failed(PUSH.session("s"), NO_UPSTREAM).text()).contains(LESSON);
            assertThat(folder.resolve("user/data/failures.jsonl")).hasBinaryContent(before);
            guard.succeeded(ToolCall.shell("git push -u origin HEAD").session("s"));
            store.flush();
            assertThat(store.find(id + "@user").orElseThrow().json()).contains("\"outcomes\"");
            Success pair = (Success) store.search(Query.all().kind(Entry.Kind.SUCCESS))
                    .matches()
                    .get(0)
                    .entry();
            assertThat(pair.answers()).allMatch(answered -> store.find(answered).isPresent());
            assertThat(pair.answers()).noneMatch(answered -> answered.contains("@"));
        }
        try (XMemStore user = XMem.open(folder.resolve("user"))) {
            assertThat(user.reportOutcome(id, Outcome.WORKED, "s")).isFalse();
            assertThat(user.stats().failures()).isEqualTo(1);
        }
    }

    @Test
    void idsOfOtherLayers_addressTheirStore() {
        String id = recorded("user", failure(LESSON));
        recorded("project", failure("mine"));
        try (XMemStore store = builder().open()) {
            assertThat(store.find(id).orElseThrow().json()).contains("mine");
            assertThat(store.find(id + "@user").orElseThrow().id()).isEqualTo(id + "@user");
            assertThat(store.reportOutcome(id + "@user", Outcome.WORKED, "s")).isTrue();
            assertThat(store.reportOutcome(id + "@user", Outcome.WORKED, "s")).isFalse();
            Entry amended = store.amend(id + "@user", Amendment.retag(Set.of("seen"), Set.of()));
            assertThat(amended.tags()).contains("seen");
            assertThat(store.find(id).orElseThrow().tags()).doesNotContain("seen");
            assertThatThrownBy(() -> store.purge(Set.of(id + "@user"))).isInstanceOf(XMemException.Invalid.class);
            assertThat(store.find(id + "@user")).isPresent();
        }
    }

    /** A file of a repository may have any ids: its votes must not reach another store. */
    @Test
    void ownLineWithTheIdOfAnotherLayer_isOwn() throws Exception {
        String id = recorded("user", failure(LESSON));
        Files.createDirectories(folder.resolve("project/data"));
        Files.writeString(
                folder.resolve("project/data/failures.jsonl"),
                "{\"id\":\"" + id + "@user\",\"ts\":\"2026-02-14T16:30:00Z\",\"type\":\"tool_failure\",\"tool\":\"x\","
                        + "\"action\":\"forged\",\"error\":\"e\",\"tags\":[],\"ctx_hash\":\"x-run-failed\"}\n");
        try (XMemStore store = builder().open()) {
            assertThat(store.find(id + "@user").orElseThrow().json()).contains("forged");
            store.reportOutcome(id + "@user", Outcome.FAILED, "s");
        }
        try (XMemStore user = XMem.open(folder.resolve("user"))) {
            assertThat(user.find(id).orElseThrow().json()).doesNotContain("outcomes");
        }
    }

    @Test
    void search_ofALayer_pagesThatStore() {
        try (XMemStore user = XMem.open(folder.resolve("user"))) {
            for (int i = 0; i < 5; i++) {
                user.recordFailure(Failure.of("npm", "install p" + i, "connect ETIMEDOUT " + i));
            }
        }
        recorded("project", failure(LESSON));
        try (XMemStore store = builder().open()) {
            assertThat(store.search(Query.all()).total()).isEqualTo(1);
            Page first = store.search(Query.parse("layer=user tool=npm limit=3"));
            assertThat(first.total()).isEqualTo(5);
            assertThat(first.text()).contains("@user", "layer=user", "--offset=3");
            assertThat(first.matches()).allMatch(match -> match.layer() == Layer.USER);
            Page second =
                    store.search(Query.parse("layer=user tool=npm limit=3").after(String.valueOf(first.cursor())));
            assertThat(second.matches()).hasSize(2);
            assertThatThrownBy(() -> store.search(Query.all().layer(Layer.TEAM)))
                    .isInstanceOf(XMemException.Unsupported.class)
                    .hasMessageContaining("there is no store in");
        }
        try (XMemStore alone = XMem.open(folder.resolve("project"))) {
            assertThatThrownBy(() -> alone.search(Query.all().layer(Layer.USER)))
                    .isInstanceOf(XMemException.Unsupported.class);
        }
    }

    /** Whatever the stores hold: all of the project's own text is there, first, and the limit of tokens holds. */
    @Test
    void recall_anyStores_beginsWithTheOwnAnswerWithinTheBudget() {
        Random random = new Random(7);
        String[] advice = {"Use `git push -u origin HEAD`.", "Never use `git push --force`.", "Run `git fetch` first."};
        for (int round = 0; round < 12; round++) {
            for (String name : List.of("project", "user", "team")) {
                try (XMemStore store = XMem.open(folder.resolve(round + name))) {
                    for (int i = random.nextInt(5); i > 0; i--) {
                        String lesson = advice[random.nextInt(3)] + " w".repeat(random.nextInt(160));
                        Failure.Draft draft = failure(lesson)
                                .sessionId("s" + random.nextInt(3))
                                .triedAlso("git push --all", "git push --tags");
                        String id = store.recordFailure(random.nextBoolean() ? draft : Failure.of(PUSH, NO_UPSTREAM))
                                .id();
                        if (random.nextBoolean()) {
                            store.reportOutcome(id, Outcome.values()[random.nextInt(3)], "v" + i);
                        }
                    }
                }
            }
            Path own = folder.resolve(round + "project");
            try (XMemStore alone = XMem.open(own);
                    XMemStore store = XMem.builder(own)
                            .alsoAsk(Layer.USER, XMem.builder(folder.resolve(round + "user")))
                            .alsoAsk(Layer.TEAM, XMem.builder(folder.resolve(round + "team")))
                            .open()) {
                Advice before = alone.recall(PUSH, NO_UPSTREAM);
                Advice after = store.recall(PUSH, NO_UPSTREAM);
                assertThat(body(after.text())).startsWith(whole(body(before.text())));
                assertThat(after.tokens())
                        .isEqualTo(TokenEstimator.heuristic().estimate(after.text()))
                        .isLessThanOrEqualTo(400);
                assertThat(after.level()).isEqualTo(before.level());
                assertThat(after.matches())
                        .hasSizeGreaterThanOrEqualTo(before.matches().size());
                assertThat(before.status() == Advice.Status.WITHHELD && !after.isEmpty())
                        .isFalse();
            }
        }
    }

    /** Without the last line if it was cut: the place depends on the tokens of the number in the fence. */
    private static String whole(String body) {
        return body.endsWith("…") ? body.substring(0, Math.max(0, body.lastIndexOf('\n'))) : body;
    }

    private static String body(String text) {
        return text.isEmpty() ? "" : text.substring(text.indexOf("instructions\n"), text.lastIndexOf('\n'));
    }
}
