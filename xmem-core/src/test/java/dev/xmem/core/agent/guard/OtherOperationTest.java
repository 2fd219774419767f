package dev.xmem.core.agent.guard;

import static dev.xmem.core.agent.guard.Guarded.shell;
import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Outcome;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.ToolGuard;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Failures of two operations of a tool, whose context hash is the same because it tells no operation. */
class OtherOperationTest {
    private static final String LIST = "virsh list --all";
    private static final String START = "virsh start web";
    private static final ToolError NO_SOCKET = ToolError.exit(
            1,
            "error: failed to connect to the hypervisor\n"
                    + "error: Failed to connect socket to '/var/run/libvirt/libvirt-sock': No such file or directory");

    private final Guarded memory = new Guarded();
    private final ToolGuard guard = memory.guard;

    @TempDir
    Path directory;

    @AfterEach
    void close() {
        memory.close();
    }

    private void fails(String session, String line, ToolError error) {
        guard.failed(shell(session, line), error);
        memory.store.flush();
    }

    private void works(String session, String line) {
        guard.succeeded(shell(session, line));
        memory.store.flush();
    }

    private String before(String session, String line) {
        memory.store.flush();
        return guard.before(shell(session, line)).text();
    }

    private static void assertTwoFailuresAndOneFix(List<Failure> failures, List<Success> successes) {
        assertThat(failures).extracting(Failure::action).containsExactly(withoutTool(LIST), withoutTool(START));
        assertThat(failures)
                .extracting(Failure::ctxHash)
                .containsOnly(failures.get(0).ctxHash());
        assertThat(successes).hasSize(1);
        assertThat(successes.get(0).answers()).containsExactly(failures.get(1).id());
    }

    private static String withoutTool(String line) {
        return ToolCall.shell(line).action();
    }

    @Test
    void failed_twoOperationsInASession_areTwoFailuresAndTheFixIsOfOne() {
        fails("s", LIST, NO_SOCKET);
        fails("s", START, NO_SOCKET);
        works("s", START + " --connect admin");

        assertTwoFailuresAndOneFix(memory.failures(), memory.successes());
    }

    @Test
    void failed_twoOperationsInASessionOfTwoProcesses_areTwoFailures() {
        shared(store -> store.guard().failed(shell("s", LIST), NO_SOCKET));
        shared(store -> store.guard().failed(shell("s", START), NO_SOCKET));
        shared(store -> store.guard().failed(shell("s", START), NO_SOCKET));
        shared(store -> assertThat(store.stats().failures()).isEqualTo(2));
    }

    @Test
    void recall_ofAnOperation_isNotAnsweredByTheFixOfAnother() {
        shared(store -> store.recordFailure(Failure.of(shell("earlier", LIST), NO_SOCKET)));
        shared(store -> store.guard().recall(shell("s", START), NO_SOCKET));
        shared(store -> store.guard().succeeded(shell("s", START + " --connect admin")));
        shared(store -> assertThat(store.stats().successes()).isZero());
    }

    private void shared(Consumer<XMemStore> event) {
        try (XMemStore store = XMem.builder(directory)
                .guardLimit(Duration.ofSeconds(60))
                .sharedSessions()
                .open()) {
            event.accept(store);
            store.flush();
        }
    }

    @Test
    void userSaid_twoOperationsFailed_tellsBoth() {
        fails("s", LIST, NO_SOCKET);
        fails("s", START, NO_SOCKET);

        assertThat(guard.userSaid("s", "why does this keep failing?").text()).contains(LIST, START);
    }

    @Test
    void failed_networkFailureOfAnotherOperation_isNoRepetition() {
        ToolError reset = ToolError.exit(255, "Connection reset by peer");
        fails("s", LIST, reset);
        fails("s", START, reset);
        assertThat(memory.failures()).isEmpty();
        fails("s", START, reset);
        assertThat(memory.failures()).extracting(Failure::action).containsExactly(withoutTool(START));
    }

    @Test
    void succeeded_chainOfTwoOperationsThatFailed_isAFixOfEach() {
        fails("s", LIST, NO_SOCKET);
        fails("s", START, NO_SOCKET);
        works("s", LIST + " --connect admin && " + START + " --connect admin");

        assertThat(memory.successes()).flatExtracting(Success::answers).hasSize(2);
    }

    @Test
    void before_fixOfOneOperation_isToldBeforeThisOneOnly() {
        for (String session : List.of("a", "b", "c")) {
            fails(session, "virsh start web", NO_SOCKET);
            fails(session, "virsh list --all", NO_SOCKET);
            works(session, "virsh -c qemu:///session list --all");
        }

        assertThat(before("t", "virsh list --all")).contains("qemu:///session");
        assertThat(before("u", "virsh start web")).isEmpty();
    }

    @Test
    void before_warningOfAnotherOperationRefuted_isStillTold() {
        for (String session : List.of("a", "b")) {
            for (String line : List.of(LIST, START)) {
                memory.store.recordFailure(
                        Failure.of(shell(session, line), NO_SOCKET).patternAvoid("Use --connect admin for " + line));
            }
        }
        assertThat(before("s", LIST)).isNotEmpty();
        works("s", LIST);

        assertThat(before("t", LIST)).isEmpty();
        assertThat(before("t", START)).contains("Use --connect admin");
    }

    @Test
    void before_warnedCallThatWorked_votesAgainstFixesOfItsOperationOnly() {
        for (String session : List.of("a", "b")) {
            fails(session, LIST, NO_SOCKET);
            works(session, LIST + " --connect reader");
            fails(session, START, NO_SOCKET);
            works(session, START + " --connect admin");
        }
        List<String> told = guard.before(shell("s", LIST)).matches().stream()
                .map(Match::entry)
                .map(Entry::id)
                .toList();
        assertThat(told).isNotEmpty();
        works("s", LIST);

        for (Success success : memory.successes()) {
            boolean isOfList = String.join(" ", success.keySteps()).contains("reader");
            assertThat(memory.store.reportOutcome(success.id(), Outcome.IRRELEVANT, "s"))
                    .as("%s has no vote", success.keySteps())
                    .isEqualTo(!isOfList || !told.contains(success.id()));
        }
    }

    @Test
    void before_manyNewerFailuresOfAnotherOperation_isStillTold() {
        for (String session : List.of("a", "b")) {
            memory.store.recordFailure(
                    Failure.of(shell(session, LIST), NO_SOCKET).patternAvoid("Use --connect reader"));
        }
        for (int i = 0; i < 66; i++) {
            memory.store.recordFailure(Failure.of(shell("other-" + i, START), NO_SOCKET));
        }

        assertThat(before("s", LIST)).contains("--connect reader");
    }

    @Test
    void before_manyNewerFailuresOfAnotherOperation_tellsAFix() {
        for (String session : List.of("a", "b")) {
            fails(session, LIST, NO_SOCKET);
            works(session, LIST + " --connect reader");
        }
        for (int i = 0; i < 80; i++) {
            memory.store.recordFailure(Failure.of(shell("other-" + i, START), NO_SOCKET));
        }

        assertThat(before("s", LIST)).contains("--connect reader");
    }
}
