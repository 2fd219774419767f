package dev.xmem.core.agent.guard;

import static dev.xmem.core.agent.guard.Guarded.NO_UPSTREAM;
import static dev.xmem.core.agent.guard.Guarded.shell;
import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Advice;
import dev.xmem.Entry;
import dev.xmem.Note;
import dev.xmem.Query;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.ToolGuard;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.core.agent.event.EventFile;
import dev.xmem.testing.LockHolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every call is reported to a store of its own, as if to a process of its own. */
class SharedSessionsTest {
    private static final ToolError RESET = ToolError.exit(128, "fatal: unable to access: Connection reset by peer");

    @TempDir
    Path directory;

    private Instant now = Instant.parse("2026-02-14T12:00:00Z");

    private XMem.Builder builder() {
        return XMem.builder(directory).guardLimit(Duration.ofSeconds(60)).clock(() -> now);
    }

    private <T> T shared(Function<ToolGuard, T> event) {
        try (XMemStore store = builder().sharedSessions().open()) {
            return event.apply(store.guard());
        }
    }

    private Advice fails(String session, String line, ToolError error) {
        return shared(guard -> guard.failed(shell(session, line), error));
    }

    private void works(String session, String line) {
        shared(guard -> {
            guard.succeeded(shell(session, line));
            return true;
        });
    }

    private List<Entry> entries(Entry.Kind kind) {
        try (XMemStore store = builder().open()) {
            return store.search(Query.all().kind(kind)).matches().stream()
                    .map(match -> match.entry())
                    .toList();
        }
    }

    private Path sessions() {
        return directory.resolve(".xmem/sessions");
    }

    private Path onlyFile() throws IOException {
        try (Stream<Path> files = Files.list(sessions())) {
            return files.findFirst().orElseThrow();
        }
    }

    @Test
    void purge_ofARecordedFailure_leavesNoTextOfItsCall() throws IOException {
        fails("s", "git push origin kumquat", NO_UPSTREAM);
        assertThat(Files.readString(onlyFile())).contains("kumquat");
        String id = entries(Entry.Kind.FAILURE).get(0).id();

        try (XMemStore store = builder().open()) {
            store.purge(Set.of(id), true);
        }

        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
                        .as(file.toString())
                        .doesNotContain("kumquat");
            }
        }
        assertThat(fails("s", "git push origin topic", NO_UPSTREAM).repeats()).isOne();
    }

    @Test
    void failed_unchangedInOtherProcesses_isCounted() {
        Advice first = fails("s", "git push origin topic", NO_UPSTREAM);
        Advice second = fails("s", "git push origin topic 2>&1 | tail -3", NO_UPSTREAM);
        fails("s", "git push origin topic --force", NO_UPSTREAM);
        Advice third = fails("s", "git push origin topic", NO_UPSTREAM);
        Advice other = fails("other", "git push origin topic", NO_UPSTREAM);

        assertThat(first.repeats()).isEqualTo(1);
        assertThat(second.repeats()).isEqualTo(2);
        assertThat(third.repeats()).isEqualTo(3);
        assertThat(third.status()).isEqualTo(Advice.Status.FOUND);
        assertThat(third.text())
                .startsWith("\n[xmem ")
                .contains("third time in this session, unchanged\n")
                .contains("tried in between, failed too: `git push origin topic --force`");
        assertThat(other.repeats()).isEqualTo(1);
        assertThat(other.text()).doesNotContain("time in this session");
    }

    @Test
    void names_ofAlikeIds_differ() {
        Set<String> names = new HashSet<>();
        for (int i = 0; i < 20_000; i++) {
            names.add(SessionFiles.hash("session-" + i));
            names.add(SessionFiles.hash(i + "\0"));
            names.add(SessionFiles.hash("0".repeat(i % 500) + i));
        }

        assertThat(names).hasSize(60_000).allMatch(name -> name.matches("[0-9a-f]{32}"));
    }

    @Test
    void call_reportedByTwoProcesses_isCountedOnce() {
        ToolCall fails = shell("s", "git push origin topic").callId("call-1");
        ToolCall works = shell("s", "git push -u origin topic").callId("call-2");
        fails("s", "git push origin topic", NO_UPSTREAM);
        Advice second = shared(guard -> guard.failed(fails, NO_UPSTREAM));
        Advice again = shared(guard -> guard.failed(fails, NO_UPSTREAM));
        Advice third = fails("s", "git push origin topic", NO_UPSTREAM);
        for (int i = 0; i < 2; i++) {
            shared(guard -> {
                guard.succeeded(works);
                return true;
            });
        }

        assertThat(second.repeats()).isEqualTo(2);
        assertThat(again.repeats()).isEqualTo(2);
        assertThat(third.repeats()).isEqualTo(3);
        assertThat(entries(Entry.Kind.FAILURE)).hasSize(1);
        assertThat(entries(Entry.Kind.SUCCESS)).hasSize(1);
    }

    @Test
    void call_reportedByTwoProcessesAtTheSameTime_isCountedOnce() throws IOException {
        shared(guard -> guard.failed(shell("s", "git push origin topic").callId("call-1"), NO_UPSTREAM));
        List<String> events = Files.readAllLines(onlyFile());
        String other = events.get(events.size() - 1).replaceFirst("\"by\":\"[^\"]+\"", "\"by\":\"other\"");
        Files.writeString(onlyFile(), other + "\n", StandardOpenOption.APPEND);

        assertThat(other).contains("\"by\":\"other\"", "\"call\"");
        assertThat(fails("s", "git push origin topic", NO_UPSTREAM).repeats()).isEqualTo(2);
    }

    @Test
    void failed_otherProcessEndedAfterItsClaim_isRecordedOnceTheClaimEnds() throws IOException {
        fails("s", "git push origin topic", NO_UPSTREAM);
        List<String> claim = Files.readAllLines(onlyFile()).stream()
                .filter(line -> line.contains("\"CLAIM\""))
                .toList();
        assertThat(claim).hasSize(1);
        Files.write(onlyFile(), claim);
        Files.writeString(directory.resolve("data/failures.jsonl"), "");

        try (XMemStore store = builder().sharedSessions().open()) {
            store.guard().failed(shell("s", "git push origin topic"), NO_UPSTREAM);
            assertThat(store.guard().flush(Duration.ofMillis(200))).isFalse();
            assertThat(entries(Entry.Kind.FAILURE)).isEmpty();

            now = now.plusSeconds(11);

            assertThat(store.guard().flush(Duration.ofMinutes(1))).isTrue();
            assertThat(entries(Entry.Kind.FAILURE)).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void succeeded_storeIsLocked_retryPairIsWrittenOnceItIsFree(boolean shared) throws Exception {
        XMem.Builder builder = builder().lockTimeout(Duration.ofMillis(10));
        try (XMemStore store = (shared ? builder.sharedSessions() : builder).open()) {
            store.guard().failed(shell("s", "git push origin topic"), NO_UPSTREAM);
            assertThat(store.guard().flush(Duration.ofMinutes(1))).isTrue();
            try (LockHolder holder = new LockHolder(directory.resolve(".xmem/lock"))) {
                assertThat(holder.isHeld()).isTrue();
                store.guard().succeeded(shell("s", "git push -u origin topic"));
                assertThat(store.guard().flush(Duration.ofMillis(500))).isFalse();
            }
            assertThat(store.guard().flush(Duration.ofMinutes(1))).isTrue();
        }

        assertThat(entries(Entry.Kind.SUCCESS)).hasSize(1);
    }

    @Test
    void failed_claimOfTheFuture_isIgnored() throws IOException {
        now = now.plusSeconds(3_600);
        fails("s", "git push origin topic", NO_UPSTREAM);
        Files.writeString(directory.resolve("data/failures.jsonl"), "");
        Files.write(
                onlyFile(),
                Files.readAllLines(onlyFile()).stream()
                        .filter(line -> line.contains("\"CLAIM\""))
                        .toList());
        now = now.minusSeconds(3_600);

        fails("s", "git push origin topic", NO_UPSTREAM);

        assertThat(entries(Entry.Kind.FAILURE)).hasSize(1);
    }

    @Test
    void failed_storeIsLockedForLong_claimIsRenewed() throws Exception {
        Instant begin = now;
        try (XMemStore store =
                builder().lockTimeout(Duration.ofMillis(10)).sharedSessions().open()) {
            store.recordAll(List.of(Note.of("one", "creates the files")));
            try (LockHolder holder = new LockHolder(directory.resolve(".xmem/lock"))) {
                assertThat(holder.isHeld()).isTrue();
                store.guard().failed(shell("s", "git push origin topic"), NO_UPSTREAM);
                for (int seconds = 0; seconds <= 12; seconds += 3) {
                    now = begin.plusSeconds(seconds);
                    assertThat(store.guard().flush(Duration.ofMillis(200))).isFalse();
                }
                assertThat(Files.readAllLines(onlyFile()))
                        .filteredOn(line -> line.contains("\"CLAIM\""))
                        .hasSize(3)
                        .last(InstanceOfAssertFactories.STRING)
                        .contains(Long.toString(now.toEpochMilli()));
            }
            assertThat(store.guard().flush(Duration.ofMinutes(1))).isTrue();
        }
        assertThat(entries(Entry.Kind.FAILURE)).hasSize(1);
    }

    @Test
    void failed_repeatedInSession_isRecordedOnceAnHour() {
        fails("s", "git push origin topic", NO_UPSTREAM);
        fails("s", "git push origin topic", NO_UPSTREAM);
        assertThat(entries(Entry.Kind.FAILURE)).hasSize(1);

        now = now.plus(Duration.ofMinutes(61));
        fails("s", "git push origin topic", NO_UPSTREAM);
        assertThat(entries(Entry.Kind.FAILURE)).hasSize(2);
    }

    @Test
    void failed_afterItWorked_countsFromOne() {
        fails("s", "git push origin topic", NO_UPSTREAM);
        fails("s", "git push origin topic", NO_UPSTREAM);
        works("s", "git push origin topic");

        assertThat(fails("s", "git push origin topic", NO_UPSTREAM).repeats()).isEqualTo(1);
    }

    @Test
    void succeeded_afterFailureInOtherProcess_isRetryPair() {
        fails("s", "git push origin topic", NO_UPSTREAM);
        works("s", "git push -u origin topic");
        works("s", "git push -u origin topic");

        assertThat(entries(Entry.Kind.SUCCESS))
                .singleElement()
                .satisfies(entry -> assertThat(((Success) entry).answers())
                        .containsExactly(entries(Entry.Kind.FAILURE).get(0).id()));
    }

    @Test
    void userSaid_inOtherProcess_recallsLastFailuresNewestFirst() {
        fails("s", "git push origin topic", NO_UPSTREAM);
        fails("s", "tar xf missing.tar", ToolError.exit(2, "tar: missing.tar: Cannot open: No such file or directory"));

        Advice advice = shared(guard -> guard.userSaid("s", "this error again!"));

        assertThat(advice.status()).isEqualTo(Advice.Status.FOUND);
        assertThat(advice.text()).containsSubsequence("`tar xf missing.tar`", "`git push origin topic`");
        assertThat(shared(guard -> guard.userSaid("other", "this error again!")).status())
                .isEqualTo(Advice.Status.NOTHING_RELEVANT);
    }

    @Test
    void userSaid_failureWasRecordedExplicitly_recallsIt() {
        try (XMemStore store = builder().open()) {
            store.recordFailure(dev.xmem.Failure.of(shell("s", "git push origin main"), NO_UPSTREAM)
                    .patternAvoid("git push -u origin HEAD"));
        }

        assertThat(shared(guard -> guard.userSaid("s", "this error again!")).text())
                .contains("git push -u origin HEAD");
    }

    @Test
    void failed_interrupted_isTrivial() {
        assertThat(fails("s", "mvn verify", ToolError.exit(1, "building\n^C")).status())
                .isEqualTo(Advice.Status.TRIVIAL);
        assertThat(fails("s", "mvn verify", ToolError.exit(130, "")).status()).isEqualTo(Advice.Status.TRIVIAL);
        assertThat(fails("s", "mvn verify", ToolError.text("[Request interrupted by user for tool use]"))
                        .status())
                .isEqualTo(Advice.Status.TRIVIAL);
        assertThat(entries(Entry.Kind.FAILURE)).isEmpty();
    }

    @Test
    void failed_unknownCommandThenItsCorrection_isNotRecorded() {
        ToolError unknown = ToolError.exit(127, "bash: frobnicat: command not found");
        fails("s", "frobnicat --all", unknown);
        works("s", "frobnicate --all");
        assertThat(entries(Entry.Kind.FAILURE)).isEmpty();

        fails("t", "frobnicat --all", unknown);
        works("t", "git status");
        assertThat(entries(Entry.Kind.FAILURE)).hasSize(1);
    }

    @Test
    void failed_transientInTwoProcesses_isRecordedAndTold() {
        Function<String, Advice> reset = session -> {
            try (XMemStore store = builder().open()) {
                return store.guard().failed(shell(session, "git fetch"), RESET);
            }
        };
        assertThat(reset.apply("s").status()).isEqualTo(Advice.Status.TRIVIAL);
        assertThat(entries(Entry.Kind.FAILURE)).isEmpty();

        now = now.plus(Duration.ofDays(3));
        Advice second = reset.apply("t");

        assertThat(second.status()).isEqualTo(Advice.Status.FOUND);
        assertThat(second.text()).contains("this network failure repeats: it occurred before, 3 days ago");
        assertThat(entries(Entry.Kind.FAILURE)).hasSize(1);
    }

    @Test
    void failed_transientOncePerDayInOneSession_isNotRecorded() {
        fails("s", "git fetch", RESET);
        now = now.plus(Duration.ofHours(25));
        assertThat(fails("s", "git fetch", RESET).status()).isEqualTo(Advice.Status.TRIVIAL);
        now = now.plus(Duration.ofHours(23));
        assertThat(fails("s", "git fetch", RESET).recordedId()).isNotNull();
    }

    @Test
    void file_isPrivateAndRedacted() throws Exception {
        fails(
                "../../x",
                "curl -H 'Authorization: Bearer ghp_0123456789abcdefghijklmnopqrstuvwxyz' https://x",
                ToolError.exit(22, "curl: (22) The requested URL returned error: 401"));

        Path file = onlyFile();
        assertThat(file.getFileName().toString()).matches("[0-9a-f]{32}\\.ndjson");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(sessions())))
                .isEqualTo("rwx------");
        assertThat(Files.readString(file)).contains("curl").doesNotContain("ghp_0123456789");
    }

    @Test
    void file_hasNoHashOfASecret() throws Exception {
        fails(
                "s",
                "./login root",
                ToolError.exit(1, "error: login failed for root\nsent password=kx9q2 to the server"));

        assertThat(Files.readString(onlyFile()))
                .contains("\"" + "server".hashCode() + "\"")
                .doesNotContain("\"" + "kx9q2".hashCode() + "\"");
    }

    @Test
    void failed_redactedOutput_isTheFailureAgain() {
        ToolError error = ToolError.exit(0, "fatal: could not use https://u:hunter2x@example.org/repository.git");
        fails("s", "git push origin topic", ToolError.exit(128, error.text()));
        assertThat(fails("s", "git push origin topic 2>&1 | cat", error).repeats())
                .isEqualTo(2);
    }

    static List<String> hostileIds() {
        return List.of("../../x", "x".repeat(1 << 20), "", "\u0000", "a/b\nc", "\ud800");
    }

    @ParameterizedTest
    @MethodSource("hostileIds")
    void failed_hostileSessionId_isAnsweredInsideTheFolder(String id) throws Exception {
        fails(id, "git push origin topic", NO_UPSTREAM);
        Advice second = fails(id, "git push origin topic", NO_UPSTREAM);

        assertThat(second.seen()).isOne();
        assertThat(second.repeats()).isEqualTo(id.isEmpty() ? 1 : 2);
        try (Stream<Path> files = Files.walk(directory)) {
            assertThat(files.filter(file -> file.toString().endsWith(".ndjson"))
                            .filter(file -> file.getParent().endsWith("sessions")))
                    .hasSize(id.isEmpty() ? 0 : 1);
        }
    }

    @Test
    void file_tornOrForeignLines_areSkipped() throws Exception {
        fails("s", "git push origin topic", NO_UPSTREAM);
        Files.writeString(
                onlyFile(),
                "\n[]\nnull\n{\"by\":7}\n{\"by\":\"x\",\"event\":\"CALL\"}\n{\"by\":\"x\",\"event\":\"HELD\",\"tool\":\"a\"}\n"
                        + "{\"by\":\"x\",\"event\":\"RECORDED\",\"tool\":\"git\",\"family\":\"f\",\"id\":\"i\",\"error\":\"\","
                        + "\"suggested\":[\"odd\"],\"ts\":\"999999999999999\"}\n\u0000\n{\"by\":\"x\",\"event\":\"CA",
                StandardOpenOption.APPEND);

        assertThat(fails("s", "git push origin topic", NO_UPSTREAM).repeats()).isEqualTo(2);
        assertThat(fails("s", "git push origin topic", NO_UPSTREAM).repeats()).isEqualTo(3);
    }

    @Test
    void file_hugeOrBinary_isNoException() throws Exception {
        fails("s", "git push origin topic", NO_UPSTREAM);
        byte[] zeros = new byte[3 * EventFile.MAX_BYTES];
        Files.write(onlyFile(), zeros);

        assertThat(fails("s", "git push origin topic", NO_UPSTREAM).seen()).isOne();
        assertThat(fails("s", "git push origin topic", NO_UPSTREAM).repeats()).isEqualTo(2);
        assertThat(Files.size(onlyFile())).isLessThanOrEqualTo(EventFile.MAX_BYTES);
    }

    @Test
    void folder_cannotBeWritten_memoryIsPrivate() throws Exception {
        works("s", "git status");
        Files.createDirectories(sessions().getParent());
        Files.writeString(sessions(), "in the way");

        shared(guard -> {
            assertThat(guard.failed(shell("s", "git push origin topic"), NO_UPSTREAM)
                            .repeats())
                    .isEqualTo(1);
            assertThat(guard.failed(shell("s", "git push origin topic"), NO_UPSTREAM)
                            .repeats())
                    .isEqualTo(2);
            return true;
        });
        assertThat(entries(Entry.Kind.FAILURE)).hasSize(1);
    }

    @Test
    void folder_isLinkOutOfTheStore_isNotFollowed(@TempDir Path outside) throws Exception {
        works("s", "git status");
        Files.createSymbolicLink(sessions().resolve("../sessions").normalize(), outside);

        try {
            fails("s", "git push origin topic", NO_UPSTREAM);
        } catch (dev.xmem.XMemException.Io refused) {
            assertThat(refused).hasMessageContaining("link");
        }
        assertThat(outside).isEmptyDirectory();
    }

    @Test
    void store_readOnly_readsSessionsAndWritesNone() throws Exception {
        fails("s", "git push origin topic", NO_UPSTREAM);
        byte[] before = Files.readAllBytes(onlyFile());
        try (XMemStore store = builder().readOnly().sharedSessions().open()) {
            assertThat(store.guard()
                            .failed(shell("s", "git push origin topic"), NO_UPSTREAM)
                            .repeats())
                    .isEqualTo(2);
        }
        assertThat(Files.readAllBytes(onlyFile())).isEqualTo(before);
    }

    @Test
    void clock_jumpsBack_failureIsRecordedAndCounted() {
        fails("s", "git push origin topic", NO_UPSTREAM);
        now = now.minus(Duration.ofDays(400));
        assertThat(fails("s", "git push origin topic", NO_UPSTREAM).repeats()).isEqualTo(2);
        now = now.plus(Duration.ofDays(900));
        assertThat(fails("s", "git push origin topic", NO_UPSTREAM).repeats()).isEqualTo(3);
    }

    @Test
    void files_ofManySessions_areBounded() throws Exception {
        shared(guard -> {
            for (int i = 0; i < SessionFiles.MAX_FILES + 20; i++) {
                guard.failed(shell("session " + i, "git push origin topic"), NO_UPSTREAM);
            }
            return true;
        });
        try (Stream<Path> files = Files.list(sessions())) {
            assertThat(files).hasSizeLessThanOrEqualTo(SessionFiles.MAX_FILES);
        }
    }

    @Test
    void file_manyEvents_isBoundedAndKeepsTheNewest() throws Exception {
        String padding = "x".repeat(3000);
        shared(guard -> {
            for (int i = 0; i < 200; i++) {
                guard.failed(shell("s", "git push origin " + padding + i), NO_UPSTREAM);
            }
            return true;
        });
        assertThat(Files.size(onlyFile())).isLessThanOrEqualTo(EventFile.MAX_BYTES);
        assertThat(fails("s", "git push origin " + padding + 199, NO_UPSTREAM).repeats())
                .isEqualTo(2);
    }

    @Test
    void stores_manyAtOnce_loseNoCall() throws Exception {
        int stores = 4;
        int calls = 10;
        ExecutorService executor = Executors.newFixedThreadPool(stores);
        try {
            List<Future<Boolean>> running = new ArrayList<>();
            for (int i = 0; i < stores; i++) {
                running.add(executor.submit(() -> shared(guard -> {
                    for (int call = 0; call < calls; call++) {
                        guard.failed(shell("s", "git push origin topic"), NO_UPSTREAM);
                    }
                    return true;
                })));
            }
            for (Future<Boolean> one : running) {
                one.get();
            }
        } finally {
            executor.shutdown();
        }
        assertThat(fails("s", "git push origin topic", NO_UPSTREAM).repeats()).isEqualTo(stores * calls + 1);
    }

    @Test
    void before_inOtherProcess_warningIsVotedOn() throws Exception {
        for (String session : List.of("a", "b")) {
            try (XMemStore store = builder().open()) {
                store.recordFailure(dev.xmem.Failure.of(shell(session, "git push origin main"), NO_UPSTREAM)
                        .patternAvoid("git push -u origin HEAD"));
            }
        }
        ToolCall call = shell("s", "git push origin topic");
        assertThat(shared(guard -> guard.before(call)).text()).contains("git push -u origin HEAD");
        works("s", "git push -u origin HEAD");

        assertThat(Files.readString(directory.resolve("data/failures.jsonl"))).contains("\"outcome\":\"worked\"");
    }

    @Test
    void failed_againAfterTheUserSpokeToAnotherProcess_isNoForecast() {
        fails("s", "git push", NO_UPSTREAM);
        shared(guard -> guard.userSaid("s", "I have set the upstream, please try again"));
        assertThat(fails("s", "git push", NO_UPSTREAM).text())
                .contains("second time in this session, unchanged")
                .doesNotContain("will fail again");
        assertThat(fails("s", "git push", NO_UPSTREAM).text()).contains("will fail again");
    }
}
