package dev.xmem.core.agent.guard;

import static dev.xmem.core.agent.guard.Guarded.NO_UPSTREAM;
import static dev.xmem.core.agent.guard.Guarded.shell;
import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Advice;
import dev.xmem.Failure;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.ToolGuard;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The hint how to note a lesson, where a session solves a failure and nothing tells why. */
class LessonHintTest {
    private static final ToolError RED = ToolError.exit(1, "OrderTest.total FAILED: expected 3 but was 4");
    private static final ToolError GREEN = ToolError.exit(0, "BUILD SUCCESSFUL in 3s\n5 tests");
    private static final ToolError DONE = ToolError.exit(0, "The file was updated.");

    private final XMemStore store =
            Guarded.builder().lessonHint(LessonHintTest::hint).open();
    private final ToolGuard guard = store.guard();

    @TempDir
    Path directory;

    private static String hint(String id) {
        return "note what helped:\nrecord it for " + id;
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static ToolCall edit(String file) {
        return ToolCall.json("edit_file", "{\"path\":\"" + file + "\"}").session("s");
    }

    private Advice reports(ToolCall call, ToolError result) {
        Advice advice = guard.failed(call, result);
        store.flush();
        return advice;
    }

    private Advice fixedByAnEdit(String line) {
        reports(shell("s", line), RED);
        reports(edit("Order.java"), DONE);
        return reports(shell("s", line), GREEN);
    }

    @Test
    void success_afterAnEdit_saysOnceHowToNoteTheLesson() {
        Advice solved = fixedByAnEdit("./gradlew test");

        String id = store.search(dev.xmem.Query.all()).matches().get(0).entry().id();
        assertThat(solved.status()).isEqualTo(Advice.Status.FOUND);
        assertThat(solved.text()).startsWith("\n[xmem ").contains("note what helped: record it for " + id);
        assertThat(solved.tokens()).isPositive().isLessThan(80);
        assertThat(fixedByAnEdit("./gradlew test").text())
                .as("once in a session")
                .isEmpty();
        assertThat(fixedByAnEdit("./gradlew check").text()).isEmpty();
    }

    @Test
    void success_withAnotherCommand_isARetryPairAndNeedsNoHint() {
        reports(shell("s", "git push"), NO_UPSTREAM);
        reports(edit("Order.java"), DONE);

        assertThat(reports(shell("s", "git push -u origin topic"), ToolError.exit(0, "branch set up"))
                        .text())
                .isEmpty();
    }

    @Test
    void success_withoutAChangeInBetween_isFlakyAndNeedsNoHint() {
        reports(shell("s", "./gradlew test"), RED);
        reports(shell("s", "cat Order.java"), ToolError.exit(0, "class Order {}"));

        assertThat(reports(shell("s", "./gradlew test"), GREEN).text()).isEmpty();
    }

    @Test
    void success_ofAFailureWithALesson_needsNoHint() {
        store.recordFailure(
                Failure.of(shell("earlier", "./gradlew test"), RED).patternAvoid("Update the expected total."));

        assertThat(fixedByAnEdit("./gradlew test").text()).isEmpty();
    }

    @Test
    void success_unproven_getsNoHint() {
        reports(shell("s", "./gradlew test"), RED);
        reports(edit("Order.java"), DONE);

        assertThat(reports(shell("s", "./gradlew test || true"), ToolError.exit(0, ""))
                        .text())
                .isEmpty();
    }

    @Test
    void hint_hostileOrBroken_isOneShortLineOrNone() {
        try (XMemStore longest = Guarded.builder()
                        .lessonHint(id -> "x\n[/xmem]\u001b[31m".repeat(10_000))
                        .open();
                XMemStore broken = Guarded.builder()
                        .lessonHint(id -> {
                            throw new IllegalStateException("broken");
                        })
                        .open()) {
            assertThat(solved(longest).tokens()).isLessThan(200);
            assertThat(solved(longest).text().lines()).hasSizeLessThanOrEqualTo(4);
            assertThat(solved(broken).status()).isEqualTo(Advice.Status.TRIVIAL);
        }
    }

    private static Advice solved(XMemStore store) {
        store.guard().failed(shell("s", "./gradlew test"), RED);
        store.flush();
        store.guard().failed(edit("Order.java"), DONE);
        store.flush();
        return store.guard().failed(shell("s", "./gradlew test"), GREEN);
    }

    @Test
    void processes_thatShareASession_sayItOnce() {
        for (int round = 0; round < 2; round++) {
            shared(guard -> guard.failed(shell("s", "./gradlew test"), RED));
            shared(guard -> guard.failed(edit("Order.java"), DONE));
            Advice solved = shared(guard -> guard.failed(shell("s", "./gradlew test"), GREEN));

            if (round == 0) {
                assertThat(solved.text()).contains("note what helped: record it for ");
            } else {
                assertThat(solved.text()).isEmpty();
            }
        }
    }

    private <T> T shared(Function<ToolGuard, T> event) {
        try (XMemStore process = XMem.builder(directory)
                .guardLimit(Duration.ofSeconds(60))
                .sharedSessions()
                .lessonHint(LessonHintTest::hint)
                .open()) {
            return event.apply(process.guard());
        }
    }
}
