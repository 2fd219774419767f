package dev.xmem.core.agent.guard;

import static dev.xmem.core.agent.guard.Guarded.NO_UPSTREAM;
import static dev.xmem.core.agent.guard.Guarded.NO_UPSTREAM_HASH;
import static dev.xmem.core.agent.guard.Guarded.shell;
import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Advice;
import dev.xmem.Failure;
import dev.xmem.RecallHistory;
import dev.xmem.RecallHistory.Day;
import dev.xmem.RecallHistory.Door;
import dev.xmem.RecallHistory.Recalled;
import dev.xmem.RecallHistory.Result;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every call is reported to a store of its own, as if to a process of its own. */
class RecallHistoryTest {
    private static final String LESSON = "use git push -u origin HEAD";

    @TempDir
    Path directory;

    private Instant now = Instant.parse("2026-02-14T12:00:00Z");

    private XMem.Builder builder() {
        return XMem.builder(directory)
                .guardLimit(Duration.ofSeconds(60))
                .clock(() -> now)
                .sharedSessions();
    }

    private <T> T with(Function<XMemStore, T> work) {
        try (XMemStore store = builder().open()) {
            return work.apply(store);
        }
    }

    private Advice pushFails(String session) {
        return with(store -> store.guard().failed(shell(session, "git push"), NO_UPSTREAM));
    }

    private Failure lesson() {
        return with(store -> store.recordFailure(
                Failure.of("git", "push", NO_UPSTREAM.text()).patternAvoid(LESSON)));
    }

    private RecallHistory history() {
        return with(store -> store.stats().recalls());
    }

    private String statsText() {
        return with(store -> store.stats().text());
    }

    private String file() {
        try {
            return Files.readString(directory.resolve(".xmem/recalls.ndjson"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void failure_withAdvice_isNotedWithWhatWasSaid() {
        Failure lesson = lesson();
        Advice advice = pushFails("s1");

        Recalled told = history().recalls().get(0);

        assertThat(told.door()).isEqualTo(Door.FAILED);
        assertThat(told.ts()).isEqualTo(now);
        assertThat(told.ctxHash()).isEqualTo(NO_UPSTREAM_HASH);
        assertThat(told.isRepeat()).isTrue();
        assertThat(told.ids()).containsExactly(lesson.id());
        assertThat(told.tokens()).isEqualTo(advice.tokens());
        assertThat(advice.text()).contains(told.text());
        assertThat(told.text()).contains(LESSON).doesNotContain("<<", "[xmem");
        assertThat(told.session()).hasSize(32).isNotEqualTo("s1");
        assertThat(told.result()).isEqualTo(Result.OPEN);
        assertThat(told.followed()).isEmpty();
    }

    @Test
    void failure_ofANewFamily_isCountedAndTellsNothing() {
        pushFails("s1");
        RecallHistory history = history();

        assertThat(history.failures()).isEqualTo(1);
        assertThat(history.repeats()).isZero();
        assertThat(history.told()).isZero();
        assertThat(history.recalls().get(0).text()).isEmpty();
    }

    @Test
    void sameCall_failingAgainAndThenWorking_changesTheResult() {
        Failure lesson = lesson();
        pushFails("s1");
        pushFails("s1");
        assertThat(history().recalls()).extracting(Recalled::result).containsExactly(Result.AGAIN, Result.OPEN);

        with(store -> {
            store.guard().succeeded(shell("s1", "git push -u origin HEAD"));
            return true;
        });

        RecallHistory history = history();
        assertThat(history.recalls()).extracting(Recalled::result).containsOnly(Result.WORKED);
        assertThat(history.recalls().get(0).followed()).isEqualTo(Set.of(lesson.id()));
        assertThat(history.worked()).isEqualTo(2);
        assertThat(history.days().get(0).sessions()).isEqualTo(1);
    }

    @Test
    void otherSession_thatWorks_provesNothing() {
        lesson();
        pushFails("s1");
        with(store -> {
            store.guard().succeeded(shell("s2", "git push -u origin HEAD"));
            return true;
        });

        assertThat(history().recalls().get(0).result()).isEqualTo(Result.OPEN);
    }

    @Test
    void text_toldTwice_isInTheFileOnce() {
        lesson();
        for (String session : List.of("s1", "s2")) {
            with(store -> store.guard().recall(shell(session, "git push"), NO_UPSTREAM));
        }

        assertThat(file().split(LESSON, -1)).hasSize(2);
        assertThat(history().recalls()).extracting(Recalled::text).allMatch(text -> text.contains(LESSON));
    }

    @Test
    void warningQuestionAndComplaint_areNotedByTheirDoors() {
        for (String session : List.of("a", "b")) {
            with(store -> store.recordFailure(Failure.of("git", "push", NO_UPSTREAM.text())
                    .patternAvoid(LESSON)
                    .sessionId(session)));
        }
        with(store -> {
            store.guard().before(shell("s1", "git push"));
            store.guard().recall(shell("s2", "git push"), NO_UPSTREAM);
            store.guard().failed(shell("s3", "git push"), NO_UPSTREAM);
            return store.guard().userSaid("s3", "this error again!");
        });

        assertThat(history().recalls())
                .extracting(Recalled::door)
                .containsExactly(Door.BEFORE, Door.ASKED, Door.FAILED, Door.USER);
        assertThat(history().told()).isEqualTo(4);
        assertThat(history().failures()).isEqualTo(1);
    }

    @Test
    void trivialFailure_isNotNoted() {
        with(store -> store.guard().failed(shell("s1", "grep x y"), ToolError.exit(130, "^C")));

        assertThat(history().recalls()).isEmpty();
    }

    @Test
    void readOnlyStore_writesNothing() {
        lesson();
        try (XMemStore store = builder().readOnly().open()) {
            assertThat(store.guard()
                            .failed(shell("s1", "git push"), NO_UPSTREAM)
                            .isEmpty())
                    .isFalse();
        }

        assertThat(directory.resolve(".xmem/recalls.ndjson")).doesNotExist();
    }

    @Test
    void longLog_isShortenedToDays() throws IOException {
        lesson();
        pushFails("s0");
        String line = file().lines()
                .filter(each -> each.contains("\"failed\""))
                .findFirst()
                .orElseThrow();
        StringBuilder many = new StringBuilder();
        for (int i = 0; i < 6_000; i++) {
            many.append('\n')
                    .append(line.replace("2026-02-14", "2026-02-0" + (1 + i / 1_000)))
                    .append('\n');
        }
        Path path = directory.resolve(".xmem/recalls.ndjson");
        Files.writeString(path, many, StandardCharsets.UTF_8, StandardOpenOption.APPEND);
        assertThat(Files.size(path)).isGreaterThan(1 << 20);

        RecallHistory before = history();
        pushFails("s1");
        RecallHistory after = history();

        assertThat(Files.size(path)).isLessThan(800 << 10);
        assertThat(after.recalls()).hasSizeLessThan(before.recalls().size());
        assertThat(after.failures()).isEqualTo(before.failures() + 1);
        assertThat(after.tokens()).isGreaterThan(before.tokens());
        assertThat(after.recalls().get(after.recalls().size() - 1).text()).contains(LESSON);
        assertThat(after.days()).extracting(Day::day).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void purge_keepsCountsOnly() {
        Failure lesson = lesson();
        pushFails("s1");
        with(store -> store.purge(Set.of(lesson.id())));

        assertThat(file()).doesNotContain(LESSON, lesson.id(), NO_UPSTREAM_HASH);
        assertThat(history().told()).isEqualTo(1);
    }

    @Test
    void purgeOfAnotherProcess_keepsAnAnswerThatWaitsOutOfTheFile() {
        Failure lesson = lesson();
        Failure kept =
                with(store -> store.recordFailure(Failure.of("docker", "compose up", "Error: port is already allocated")
                        .patternAvoid("free the port")));
        with(store -> {
            store.guard().failed(shell("s1", "git push"), NO_UPSTREAM);
            with(other -> other.purge(Set.of(lesson.id())));
            store.guard()
                    .failed(shell("s1", "docker compose up"), ToolError.exit(1, "Error: port is already allocated"));
            return true;
        });

        assertThat(file()).doesNotContain(LESSON, lesson.id()).contains(kept.id());
    }

    @Test
    void textOfAFileThatWasReplaced_isWrittenAgain() {
        Failure other = with(store -> store.recordFailure(Failure.of("zzz", "y", "some other error")));
        lesson();
        with(store -> {
            store.guard().recall(shell("s1", "git push"), NO_UPSTREAM);
            awaitRecalls(1);
            with(another -> another.purge(Set.of(other.id())));
            return store.guard().recall(shell("s2", "git push"), NO_UPSTREAM);
        });

        assertThat(history().recalls()).extracting(Recalled::text).isNotEmpty().allMatch(text -> text.contains(LESSON));
    }

    private void awaitRecalls(int count) {
        Path path = directory.resolve(".xmem/recalls.ndjson");
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (System.nanoTime() < end
                && (!Files.exists(path) || history().recalls().size() < count)) {
            Thread.onSpinWait();
        }
    }

    @Test
    void damagedLines_areSkipped() throws IOException {
        lesson();
        pushFails("s1");
        Files.writeString(
                directory.resolve(".xmem/recalls.ndjson"),
                "\n{\"by\":\"x\",\"kind\":\"failed\",\"ts\":\"never\"}\n{\"by\":\"x\",\"kind\":\"day\",\"day\":[]}\n{torn",
                StandardOpenOption.APPEND);

        assertThat(history().recalls()).hasSize(1);
        pushFails("s2");
        assertThat(history().recalls()).hasSize(2);
    }

    @Test
    void statsText_countsWhatWasTold() {
        assertThat(statsText()).doesNotContain("Told");
        lesson();
        pushFails("s1");

        assertThat(statsText()).contains("Told: 1 time");
    }
}
